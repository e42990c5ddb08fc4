/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/outcomes/decisions.h"

#include "interceptor/call/call.h"
#include "interceptor/forcing/real.h"

#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A look every 50 microseconds at first, later every millisecond. */
enum { YIELDS = 20, PAUSE_MIN_NS = 50000, PAUSE_MAX_NS = 1000000, LOOKS_TO_CHECK = 64 };

/* While others wait, the tool is told of one-sided calls after so many. */
enum { STEPS = 8 };

bool ork_run_is_decided;
static int bell = -1;
static uint32_t asks;
static uint64_t steps, told; /* one-sided calls; those of which the tool was told */

static struct ork_decision_page *page(void)
{
    return &ork_recorder.ring->decisions;
}

void ork_decisions_init(int event_file)
{
    if (event_file < 0)
        return;
    bell = event_file;
    ork_run_is_decided = true;
    ork_errand_add(ORK_ERRAND_DECIDE);
}

static void ring(void)
{
    const uint64_t one = 1;
    int saved = errno;

    /* RATIONALE: the file counts; a full counter has been readable for long. */
    ssize_t written = write(bell, &one, sizeof(one));
    (void)written;
    errno = saved;
}

void ork_decisions_ring_if_watched(void)
{
    if (atomic_load_explicit(&page()->is_watched, memory_order_relaxed) != 0)
        ring();
}

static struct ork_record ask_record(enum ork_ask ask)
{
    told = steps;
    return (struct ork_record){.kind = ORK_KIND_ASK,
                               .thread = ork_thread.index,
                               .mode = (uint16_t)ask,
                               .site = ork_thread.site,
                               .comm = ORK_COMM_UNKNOWN,
                               .request = ORK_REQUEST_NULL,
                               .peer = ORK_NO_PEER,
                               .bytes = steps};
}

uint64_t ork_decisions_told_steps(void)
{
    return told;
}

void ork_decisions_stop(void)
{
    struct ork_record r = ask_record(ORK_ASK_MAX);

    if (!ork_decisions_are_on())
        return;
    ork_lock();
    atomic_fetch_and(&ork_errands, ~ORK_ERRAND_DECIDE);
    if (atomic_load(&ork_recording))
        ork_send_record(&r);
    ork_unlock();
    ring();
}

/* ---- one-sided calls ---- */

static bool is_unlock(enum ork_call_id id)
{
    return id == ORK_CALL_MPI_Win_unlock || id == ORK_CALL_MPI_Win_unlock_all;
}

/* A call after which a rank may not call MPI for long. */
static bool is_completing(enum ork_call_id id)
{
    return is_unlock(id) || id == ORK_CALL_MPI_Win_flush || id == ORK_CALL_MPI_Win_flush_all;
}

static bool is_lock(enum ork_call_id id)
{
    return id == ORK_CALL_MPI_Win_lock || id == ORK_CALL_MPI_Win_lock_all;
}

static bool is_one_sided(enum ork_call_id id)
{
    switch ((int)id) {
    case ORK_CALL_MPI_Put:
    case ORK_CALL_MPI_Get:
    case ORK_CALL_MPI_Accumulate:
    case ORK_CALL_MPI_Get_accumulate:
    case ORK_CALL_MPI_Fetch_and_op:
    case ORK_CALL_MPI_Compare_and_swap:
    case ORK_CALL_MPI_Rput:
    case ORK_CALL_MPI_Rget:
    case ORK_CALL_MPI_Raccumulate:
    case ORK_CALL_MPI_Rget_accumulate:
    case ORK_CALL_MPI_Win_flush_local:
    case ORK_CALL_MPI_Win_flush_local_all:
    case ORK_CALL_MPI_Win_sync:
        return true;
    default:
        return is_lock(id) || is_completing(id);
    }
}

/* RATIONALE: calls that lock and unlock ring the bell themselves, with their own records. */
static void tell_steps(enum ork_call_id id)
{
    struct ork_record r = ask_record(ORK_ASK_STEPS);

    ork_lock();
    ork_send_record(&r);
    ork_unlock();
    if (!is_lock(id) && !is_unlock(id))
        ork_decisions_ring_if_watched();
}

void ork_decisions_say_ended(void)
{
    struct ork_record r = ask_record(ORK_ASK_ENDED);

    ork_lock();
    ork_send_record(&r);
    ork_unlock();
    ring();
}

/* RATIONALE: before a call that may block, because in a quiescent state the tool has to know the
 * same in every run. A lock or an access, which may be an atomic that asks, is not counted before
 * its own question: else the tool would assume that the next question has a greater number. */
void ork_decisions_note_call(enum ork_call_id id)
{
    bool is_watched = atomic_load_explicit(&page()->is_watched, memory_order_relaxed) != 0;
    bool counts = is_one_sided(id);

    if (!ork_decisions_are_on())
        return;
    bool is_due = !counts || is_lock(id) || (is_watched && steps - told >= STEPS);
    if (is_due && steps != told)
        tell_steps(id);
    steps += counts;
    if (is_completing(id))
        tell_steps(id);
}

static bool has_list(enum ork_ask ask)
{
    return ask == ORK_ASK_WAIT_ANY || ask == ORK_ASK_TEST_ANY || ask == ORK_ASK_TEST_ALL;
}

uint32_t ork_decisions_ask(const struct ork_question *q)
{
    struct ork_record r = ask_record(q->ask);
    struct ork_list list;

    r.extra = ++asks;
    ork_lock();
    if (q->comm != MPI_COMM_NULL) {
        r.comm = ork_comm_id(q->comm);
        r.peer = ork_peer(q->source);
        r.tag = ork_tag(q->tag);
        r.flags = q->is_matched ? ORK_F_MATCHED : 0;
    }
    if (q->ask == ORK_ASK_ATOMIC) {
        r.comm = ork_object_id(&ork_windows, ORK_KEY(q->win));
        r.peer = q->target;
        r.tag = q->is_update;
        r.arg = (uint32_t)q->displacement;
        r.arg2 = (uint32_t)((uint64_t)q->displacement >> 32);
    }
    if (q->ask == ORK_ASK_CANCEL)
        r.request = ork_request_find(q->request[0]).id;
    r.count = has_list(q->ask) ? (uint32_t)q->count : 0;
    ork_list_begin(&list, &r);
    for (uint32_t i = 0; i < r.count; i++)
        ork_list_add(&list, ork_request_find(q->request[i]).id);
    ork_list_end(&list);
    ork_publish();
    ork_unlock();
    return asks;
}

bool ork_decisions_take(struct ork_decision *decision)
{
    uint32_t tail = atomic_load_explicit(&page()->tail, memory_order_relaxed);

    if (tail == atomic_load_explicit(&page()->head, memory_order_acquire))
        return false;
    *decision = page()->slot[tail % ORK_DECISIONS];
    atomic_store_explicit(&page()->tail, tail + 1, memory_order_release);
    return true;
}

/* ---- waiting ---- */

static void count_wait(void)
{
    uint32_t wait = atomic_load_explicit(&page()->wait, memory_order_relaxed);

    atomic_store_explicit(&page()->wait, wait + 1, memory_order_release);
}

void ork_decisions_wait_begin(struct ork_decision_wait *w)
{
    *w = (struct ork_decision_wait){.head = atomic_load(&page()->head)};
    count_wait();
    ring();
}

void ork_decisions_wait_end(void)
{
    count_wait();
}

void ork_decisions_progress(void)
{
    int flag;

    REAL(MPI_Iprobe)(0, 0, ork_silent, &flag, MPI_STATUS_IGNORE);
}

/* RATIONALE: a decision wakes the rank; a message of another rank does not, so it looks again
 * soon. */
static void pause_once(const struct ork_decision_wait *w)
{
    long ns = PAUSE_MIN_NS * (long)(1 + w->looks / 32);
    struct timespec time = {.tv_nsec = ns < PAUSE_MAX_NS ? ns : PAUSE_MAX_NS};

    if (w->looks < YIELDS)
        sched_yield();
    else
        syscall(SYS_futex, &page()->head, FUTEX_WAIT, w->head, &time, NULL, 0);
}

bool ork_decisions_look(struct ork_decision_wait *w)
{
    int saved = errno;

    ork_decisions_progress();
    pause_once(w);
    w->head = atomic_load(&page()->head);
    w->looks++;
    atomic_fetch_add_explicit(&page()->looks, 1, memory_order_release);
    if (w->looks % LOOKS_TO_CHECK == 0 && ork_recorder_is_alone()) {
        ork_recorder_stop();
        ork_decisions_stop();
    }
    errno = saved;
    return ork_decisions_are_on();
}
