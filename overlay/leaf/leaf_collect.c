/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/leaf_internal.h"

#include "overlay/leaf/effort.h"
#include "overlay/leaf/latest.h"
#include "overlay/leaf/threads.h"

#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t cpu_time_of(uint32_t pid)
{
    struct timespec t;
    clockid_t clock;

    if (clock_getcpuclockid((pid_t)pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void collect_polls(const struct local *l, struct ork_snapshot *snapshot)
{
    const struct ork_ring *ring = l->ring;
    uint64_t most = 0;

    snapshot->polled.peer = ORK_NO_PEER;

    for (uint32_t t = 0; t < snapshot->threads; t++) {
        uint64_t polls = atomic_load(&ring->thread[t].polls);
        snapshot->polls += polls;
        snapshot->probes += atomic_load(&ring->thread[t].probes);
        if (polls <= most)
            continue;
        most = polls;
        snapshot->polled = ork_polled_read(ring, t);
        snapshot->looks = atomic_load(&ring->thread[t].looks);
        snapshot->busy = atomic_load(&ring->thread[t].busy);
        snapshot->timed = atomic_load(&ring->thread[t].timed);
        snapshot->work_ns = atomic_load(&ring->thread[t].work_ns);
        snapshot->slept_ns = ork_effort_slept_ns(l->pid, ring, t);
    }
}

static void collect_wait(const struct local *l, struct ork_snapshot *snapshot)
{
    const struct ork_decision_page *page = &l->ring->decisions;

    snapshot->waiting_looks = atomic_load(&page->looks);
    snapshot->wait = atomic_load(&page->wait);
    snapshot->has_decisions =
        l->num_decisions == 0 && atomic_load(&page->head) == atomic_load(&page->tail);
}

static struct ork_snapshot snapshot_of(const struct local *l)
{
    uint32_t threads = atomic_load(&l->ring->threads);
    struct ork_snapshot s = {.cpu_ns = cpu_time_of(l->pid)};

    s.threads = threads < ORK_RING_THREADS ? threads : ORK_RING_THREADS;
    for (uint32_t t = 0; t < s.threads; t++) {
        s.word[t] = atomic_load_explicit(&l->ring->thread[t].word, memory_order_acquire);
        s.wrong |= (uint64_t)(atomic_load(&l->ring->thread[t].wrong) != 0) << t;
    }
    ork_threads_observe(l->pid, l->ring, &s);
    struct ork_effort effort = ork_effort_of(l->pid, l->ring);
    s.inside_ns = effort.inside_ns;
    s.waited_ns = effort.waited_ns;
    s.yields = effort.yields;
    s.sleeps = effort.sleeps;
    s.is_runnable = effort.is_runnable;
    s.is_halted = effort.is_halted;
    collect_polls(l, &s);
    collect_wait(l, &s);
    s.head = atomic_load_explicit(&l->ring->head, memory_order_acquire);
    return s;
}

static enum ork_status collect(struct ork_leaf *leaf, uint32_t round)
{
    enum ork_status status = ORK_OK;

    for (uint32_t i = 0; i < leaf->num_local && status == ORK_OK; i++) {
        const struct local *l = &leaf->local[i];
        if (!l->attached || l->fd < 0)
            continue;
        struct ork_snapshot s = snapshot_of(l);
        status = ork_up_deliver(
            leaf->up,
            &(struct ork_event){.kind = ORK_EVENT_SNAPSHOT, .rank = l->rank, .snapshot = &s});
    }
    return status == ORK_OK
               ? ork_up_deliver(leaf->up,
                                &(struct ork_event){.kind = ORK_EVENT_COLLECTED, .round = round})
               : status;
}

static enum ork_status ask(struct ork_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        if (leaf->local[i].attached && leaf->local[i].fd >= 0)
            atomic_fetch_add_explicit(&leaf->local[i].ring->asked, 1, memory_order_relaxed);
    }
    return ORK_OK;
}

static enum ork_status release(struct ork_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        if (leaf->local[i].attached && leaf->local[i].fd >= 0)
            atomic_fetch_add_explicit(&leaf->local[i].ring->released, 1, memory_order_relaxed);
    }
    return ORK_OK;
}

static enum ork_status expire(struct ork_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        if (leaf->local[i].attached && leaf->local[i].fd >= 0)
            atomic_fetch_add_explicit(&leaf->local[i].ring->expired, 1, memory_order_relaxed);
    }
    return ORK_OK;
}

/* The first thread in a call that can block, or that is wrong; else the first that called MPI. */
static uint32_t thread_in_mpi(uint32_t pid, const struct ork_ring *ring)
{
    uint32_t threads = atomic_load(&ring->threads);

    for (uint32_t t = 0; t < threads && t < ORK_RING_THREADS; t++) {
        if ((atomic_load(&ring->thread[t].word) & 0xff) == ORK_STATE_BLOCKED ||
            atomic_load(&ring->thread[t].wrong) != 0)
            return ork_effort_thread_of(pid, ring, t);
    }
    return ork_effort_thread_of(pid, ring, 0);
}

static enum ork_status stack(struct ork_leaf *leaf, uint32_t rank)
{
    static const struct ork_stack_limits limits = {.frames = 64, .milliseconds = 500};
    struct ork_stack taken = {.num_frames = 0};
    struct ork_rank_row wait = {.rank = rank};

    if (rank >= leaf->num_ranks || leaf->by_rank[rank] == 0)
        return ORK_OK;
    const struct local *l = &leaf->local[leaf->by_rank[rank] - 1];
    if (l->fd < 0 || l->broken)
        return ORK_OK;
    enum ork_status status = leaf->stacks != NULL ? ORK_OK : ork_stacks_create(&leaf->stacks);
    if (status == ORK_OK)
        status =
            ork_stack_take(leaf->stacks, l->pid, thread_in_mpi(l->pid, l->ring), &limits, &taken);
    if (status == ORK_OK)
        status = ork_stack_give(&taken, &wait);
    if (status == ORK_OK || status == ORK_DENIED)
        status = ork_up_deliver(leaf->up, &(struct ork_event){.kind = ORK_EVENT_STACK,
                                                              .rank = wait.rank,
                                                              .stack = {&wait, taken.reason}});
    ork_stack_release(&taken);
    ork_rank_row_release(&wait);
    return status;
}

/* The ring of a rank that is or was here; NULL: none, or it cannot be read any more. */
static const struct ork_ring *ring_of(const struct ork_leaf *leaf, uint32_t rank)
{
    const struct local *l = &leaf->local[leaf->by_rank[rank] - 1];

    if (l->fd >= 0)
        return l->broken ? NULL : l->ring;
    for (uint32_t i = 0; i < GRAVES; i++) {
        if (leaf->grave[i].ring != NULL && leaf->grave[i].rank == rank)
            return leaf->grave[i].ring;
    }
    return NULL;
}

static enum ork_status latest(struct ork_leaf *leaf, uint32_t rank, const struct ork_until *until)
{
    struct ork_latest calls = {.rank = rank};

    if (rank >= leaf->num_ranks || leaf->by_rank[rank] == 0)
        return ORK_OK;
    const struct ork_ring *ring = ring_of(leaf, rank);
    if (ring != NULL)
        ork_latest_read(ring, until, &calls);
    return ork_up_deliver(
        leaf->up,
        &(struct ork_event){.kind = ORK_EVENT_LATEST, .rank = calls.rank, .latest = &calls});
}

static enum ork_status number(struct ork_leaf *leaf, const struct ork_job_name *name,
                              uint32_t first)
{
    for (uint32_t i = 0; i < leaf->num_jobs; i++) {
        struct job *job = &leaf->job[i];
        if (strcmp(job->name.name, name->name) != 0)
            continue;
        job->known = true;
        job->refused = first == UINT32_MAX;
        job->first = job->refused ? 0 : first;
    }
    return ORK_OK;
}

static enum ork_status kill_all(struct ork_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        struct local *l = &leaf->local[i];
        if (l->attached && l->fd >= 0 && l->pidfd >= 0)
            syscall(SYS_pidfd_send_signal, l->pidfd, SIGKILL, NULL, 0);
    }
    return ORK_OK;
}

static enum ork_status follow_order(void *context, const struct ork_order *order)
{
    struct ork_leaf *leaf = context;

    switch (order->kind) {
    case ORK_ORDER_COLLECT:
        return collect(leaf, order->round);
    case ORK_ORDER_ASK:
        return ask(leaf);
    case ORK_ORDER_RELEASE:
        return release(leaf);
    case ORK_ORDER_EXPIRE:
        return expire(leaf);
    case ORK_ORDER_DECISION:
        return ork_leaf_decide(leaf, order->decision.rank, &order->decision.decision);
    case ORK_ORDER_WATCH:
        ork_leaf_watch(leaf, order->is_watched);
        return ORK_OK;
    case ORK_ORDER_HOLD:
        ork_leaf_pause(leaf, order->hold);
        return ORK_OK;
    case ORK_ORDER_FOLD:
        ork_leaf_fold(leaf, order->is_folding);
        return ORK_OK;
    case ORK_ORDER_STACK:
        return stack(leaf, order->rank);
    case ORK_ORDER_LATEST:
        return latest(leaf, order->latest.rank, &order->latest.until);
    case ORK_ORDER_NUMBER:
        return number(leaf, &order->number.job, order->number.first);
    case ORK_ORDER_KILL:
        return kill_all(leaf);
    case ORK_ORDER_LAST:
        ork_leaf_ask_last(leaf);
        return ORK_OK;
    case ORK_ORDER_CREDIT: /* these are for the tool process */
    case ORK_ORDER_ALIVE:
    case ORK_ORDER_END:
        break;
    }
    return ORK_INVALID;
}

struct ork_down ork_leaf_down(struct ork_leaf *leaf)
{
    return (struct ork_down){.context = leaf, .send = follow_order};
}
