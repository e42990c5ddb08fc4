/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf.h"

#include "common/log.h"
#include "overlay/attach.h"
#include "overlay/numbers.h"
#include "overlay/threads.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* RATIONALE: no signal by number to a process that may be another one by now: by pidfd. */
static int pidfd_of(uint32_t pid)
{
    return (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
}

enum { BATCH = 512 };

struct local {
    int fd; /* its socket; -1: gone */
    int pidfd;
    bool attached; /* false: the hello is still to come */
    bool hung_up;
    bool broken; /* the rank wrote over its own ring: nothing in it means anything any more */
    uint32_t rank;
    uint32_t pid;
    uint64_t tail;
    struct ork_ring *ring;
};

struct ork_leaf {
    const struct ork_up *up;
    char token[ORK_TOKEN_SIZE + 1];
    int listener;
    struct local *local;
    uint32_t num_local, cap_local;
    uint32_t *by_rank; /* place in local[] + 1 */
    uint32_t num_ranks;
    struct ork_numbers numbers;
    uint32_t attached, seen, strangers;
    struct pollfd *fd;
    nfds_t num_fds;
    struct ork_record batch[BATCH];
};

/* Two descriptors a rank: take as many as the user may have. */
static void raise_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

enum ork_status ork_leaf_create(const char *session, const char *token, const struct ork_up *up,
                                struct ork_leaf **out)
{
    struct ork_leaf *leaf = calloc(1, sizeof(*leaf));

    if (leaf == NULL)
        return ORK_NOMEM;
    raise_limit();
    leaf->up = up;
    memcpy(leaf->token, token, strnlen(token, ORK_TOKEN_SIZE));
    leaf->fd = calloc(1, sizeof(*leaf->fd));
    enum ork_status status =
        leaf->fd == NULL ? ORK_NOMEM : ork_attach_listen(session, 0, &leaf->listener);
    if (status != ORK_OK) {
        free(leaf->fd);
        free(leaf);
        return status;
    }
    leaf->fd[0] = (struct pollfd){.fd = leaf->listener, .events = POLLIN};
    leaf->num_fds = 1;
    *out = leaf;
    return ORK_OK;
}

static void local_release(struct local *l)
{
    if (l->fd >= 0)
        close(l->fd);
    if (l->pidfd >= 0)
        close(l->pidfd);
    ork_attach_unmap(l->ring);
    l->fd = l->pidfd = -1;
    l->ring = NULL;
}

void ork_leaf_destroy(struct ork_leaf *leaf)
{
    if (leaf == NULL)
        return;
    for (uint32_t i = 0; i < leaf->num_local; i++)
        local_release(&leaf->local[i]);
    close(leaf->listener);
    free(leaf->local);
    free(leaf->by_rank);
    ork_numbers_release(&leaf->numbers);
    free(leaf->fd);
    free(leaf);
}

const struct pollfd *ork_leaf_fds(const struct ork_leaf *leaf, nfds_t *count)
{
    *count = leaf->num_fds;
    return leaf->fd;
}

uint32_t ork_leaf_num_attached(const struct ork_leaf *leaf)
{
    return leaf->attached;
}

uint32_t ork_leaf_num_seen(const struct ork_leaf *leaf)
{
    return leaf->seen;
}

uint32_t ork_leaf_num_strangers(const struct ork_leaf *leaf)
{
    return leaf->strangers;
}

/* ---- coming ---- */

static enum ork_status reserve_local(struct ork_leaf *leaf)
{
    if (leaf->num_local < leaf->cap_local)
        return ORK_OK;
    uint32_t cap = leaf->cap_local == 0 ? 16 : leaf->cap_local * 2;
    struct local *locals = realloc(leaf->local, cap * sizeof(*locals));
    if (locals == NULL)
        return ORK_NOMEM;
    leaf->local = locals;
    struct pollfd *fds = realloc(leaf->fd, (cap + 1) * sizeof(*fds));
    if (fds == NULL)
        return ORK_NOMEM;
    leaf->fd = fds;
    leaf->cap_local = cap;
    return ORK_OK;
}

static enum ork_status take_connections(struct ork_leaf *leaf)
{
    for (;;) {
        enum ork_status status = reserve_local(leaf);
        if (status != ORK_OK)
            return status;
        int fd = accept4(leaf->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
        if (fd < 0)
            return ORK_OK;
        if (!ork_attach_is_ours(fd)) { /* an abstract socket is open to every user */
            close(fd);
            continue;
        }
        leaf->local[leaf->num_local++] = (struct local){.fd = fd, .pidfd = -1};
    }
}

static bool reserve_rank(struct ork_leaf *leaf, uint32_t rank)
{
    if (rank < leaf->num_ranks)
        return true;
    uint32_t *bigger = realloc(leaf->by_rank, ((size_t)rank * 2 + 16) * sizeof(*bigger));
    if (bigger == NULL)
        return false;
    memset(bigger + leaf->num_ranks, 0,
           ((size_t)rank * 2 + 16 - leaf->num_ranks) * sizeof(*bigger));
    leaf->by_rank = bigger;
    leaf->num_ranks = rank * 2 + 16;
    return true;
}

/* The number of a rank that came. ORK_NOTFOUND: it gets none. A second program in a rank's place is
 * not that rank. */
static enum ork_status number(struct ork_leaf *leaf, const struct ork_hello *hello, uint32_t *rank)
{
    enum ork_status status = ork_numbers_give(&leaf->numbers, hello, rank);

    if (status != ORK_OK)
        return status;
    return *rank < leaf->num_ranks && leaf->by_rank[*rank] != 0 ? ORK_NOTFOUND : ORK_OK;
}

static enum ork_status greet(struct ork_leaf *leaf, struct local *l)
{
    struct ork_hello hello;
    uint32_t rank;
    enum ork_status status = ork_attach_accept(l->fd, leaf->token, &hello, &l->ring);

    if (status == ORK_AGAIN)
        return ORK_OK;
    if (status != ORK_OK) {
        if (status == ORK_DENIED)
            ork_error("a process that does not belong to this run was refused");
        local_release(l);
        return ORK_OK;
    }
    status = number(leaf, &hello, &rank);
    if (status == ORK_NOTFOUND) {
        leaf->strangers++;
        local_release(l);
        return ORK_OK;
    }
    if (status != ORK_OK || !reserve_rank(leaf, rank))
        return ORK_NOMEM;
    leaf->by_rank[rank] = (uint32_t)(l - leaf->local) + 1;
    l->attached = true;
    l->rank = rank;
    l->pid = hello.pid;
    l->pidfd = pidfd_of(hello.pid);
    leaf->attached++;
    leaf->seen++;
    return leaf->up->attach(leaf->up->context,
                            &(struct ork_attached){.rank = rank, .pid = hello.pid});
}

/* ---- draining ---- */

/* Is the ring's frame as rank and leaf left it? */
static bool is_intact(const struct local *l, uint64_t head)
{
    return head - l->tail <= ORK_RING_RECORDS && l->ring->magic == ORK_RING_MAGIC &&
           atomic_load_explicit(&l->ring->tail, memory_order_relaxed) == l->tail;
}

/* Whatever the rank published is thrown away, so that it never waits for room. */
static void discard(struct local *l, uint64_t head)
{
    l->tail = head;
    atomic_store_explicit(&l->ring->tail, head, memory_order_release);
}

/* RATIONALE: to those above, the end of a stream that makes sense is a record that makes none. */
static enum ork_status break_off(struct ork_leaf *leaf, struct local *l, uint64_t head)
{
    static const struct ork_record senseless = {.kind = UINT8_MAX};

    l->broken = true;
    discard(l, head);
    return leaf->up->batch(leaf->up->context, l->rank, &senseless, 1);
}

static enum ork_status drain(struct ork_leaf *leaf, struct local *l, size_t *moved)
{
    uint64_t head = atomic_load_explicit(&l->ring->head, memory_order_acquire);
    size_t credit = leaf->up->credit(leaf->up->context);

    if (l->broken) {
        discard(l, head);
        return ORK_OK;
    }
    if (!is_intact(l, head)) {
        *moved += 1;
        return break_off(leaf, l, head);
    }
    while (l->tail != head && credit > 0) {
        uint32_t n = 0;
        while (n < BATCH && n < credit && l->tail + n != head) {
            leaf->batch[n] = l->ring->slot[(l->tail + n) % ORK_RING_RECORDS];
            n++;
        }
        l->tail += n;
        atomic_store_explicit(&l->ring->tail, l->tail, memory_order_release);
        enum ork_status status = leaf->up->batch(leaf->up->context, l->rank, leaf->batch, n);
        if (status != ORK_OK)
            return status;
        *moved += n;
        credit -= n;
    }
    return ORK_OK;
}

/* ---- going ---- */

static void list_fds(struct ork_leaf *leaf)
{
    leaf->num_fds = 1;
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        const struct local *l = &leaf->local[i];
        short events = l->attached ? POLLRDHUP : POLLIN | POLLRDHUP; /* what it says is not read */
        if (l->fd >= 0)
            leaf->fd[leaf->num_fds++] = (struct pollfd){.fd = l->fd, .events = events};
    }
}

/* One call for all ranks: a leaf that has nothing to do costs little however many there are. */
static void see_hang_ups(struct ork_leaf *leaf)
{
    nfds_t at = 1;

    list_fds(leaf);
    if (poll(leaf->fd, leaf->num_fds, 0) <= 0)
        return;
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        if (leaf->local[i].fd >= 0)
            leaf->local[i].hung_up =
                (leaf->fd[at++].revents & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
    }
}

static enum ork_death death_of(const struct local *l)
{
    uint32_t threads = atomic_load(&l->ring->threads);
    enum ork_death how = threads == 0 ? ORK_DEATH_FINISHED : ORK_DEATH_OUTSIDE;

    if (l->broken)
        return ORK_DEATH_INSIDE; /* nobody knows: it is blamed for nothing */
    for (uint32_t t = 0; t < threads && t < ORK_RING_THREADS; t++) {
        uint64_t state =
            atomic_load_explicit(&l->ring->thread[t].word, memory_order_acquire) & 0xff;
        if (state == ORK_STATE_DONE)
            return ORK_DEATH_FINISHED;
        if (state == ORK_STATE_BLOCKED)
            how = ORK_DEATH_INSIDE;
    }
    return how;
}

static enum ork_status bury(struct ork_leaf *leaf, struct local *l)
{
    uint64_t waits = l->broken ? 0 : atomic_load(&l->ring->full_waits);
    enum ork_death how = death_of(l);
    uint32_t rank = l->rank;

    leaf->attached--;
    local_release(l);
    return leaf->up->end(leaf->up->context, rank, how, waits);
}

static enum ork_status visit(struct ork_leaf *leaf, struct local *l, size_t *moved)
{
    if (!l->attached) {
        uint32_t seen = leaf->seen;
        enum ork_status status = greet(leaf, l);
        *moved += leaf->seen - seen;
        if (status != ORK_OK || !l->attached)
            return status;
    }
    enum ork_status status = drain(leaf, l, moved);
    if (status != ORK_OK || !l->hung_up) /* seen before draining: all it wrote is there */
        return status;
    if (!l->broken && l->tail != atomic_load(&l->ring->head))
        return status; /* there was no credit for all of it */
    *moved += 1;
    return bury(leaf, l);
}

enum ork_status ork_leaf_step(struct ork_leaf *leaf, size_t *moved)
{
    *moved = 0;
    enum ork_status status = take_connections(leaf);
    see_hang_ups(leaf);
    for (uint32_t i = 0; i < leaf->num_local && status == ORK_OK; i++) {
        if (leaf->local[i].fd >= 0)
            status = visit(leaf, &leaf->local[i], moved);
    }
    list_fds(leaf);
    return status;
}

/* ---- from above ---- */

static uint64_t cpu_time_of(uint32_t pid)
{
    struct timespec t;
    clockid_t clock;

    if (clock_getcpuclockid((pid_t)pid, &clock) != 0 || clock_gettime(clock, &t) != 0)
        return 0;
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static void collect_polls(const struct ork_ring *ring, struct ork_snapshot *snapshot)
{
    uint64_t most = 0;

    for (uint32_t t = 0; t < snapshot->threads; t++) {
        uint64_t polls = atomic_load(&ring->thread[t].polls);
        snapshot->polls += polls;
        snapshot->probes += atomic_load(&ring->thread[t].probes);
        if (polls <= most)
            continue;
        most = polls;
        snapshot->poll_site = atomic_load(&ring->thread[t].poll_site);
        snapshot->poll_call = atomic_load(&ring->thread[t].poll_call);
    }
}

static enum ork_status collect(void *context, uint32_t rank, struct ork_snapshot *snapshot)
{
    struct ork_leaf *leaf = context;

    if (rank >= leaf->num_ranks || leaf->by_rank[rank] == 0 ||
        leaf->local[leaf->by_rank[rank] - 1].fd < 0)
        return ORK_NOTFOUND;
    const struct local *l = &leaf->local[leaf->by_rank[rank] - 1];
    uint32_t threads = atomic_load(&l->ring->threads);
    *snapshot =
        (struct ork_snapshot){.present = true, .taken = l->tail, .cpu_ns = cpu_time_of(l->pid)};
    snapshot->threads = threads < ORK_RING_THREADS ? threads : ORK_RING_THREADS;
    snapshot->strangers = ork_threads_strange(l->pid, l->ring);
    for (uint32_t t = 0; t < snapshot->threads; t++)
        snapshot->word[t] = atomic_load_explicit(&l->ring->thread[t].word, memory_order_acquire);
    collect_polls(l->ring, snapshot);
    snapshot->head = atomic_load_explicit(&l->ring->head, memory_order_acquire);
    return ORK_OK;
}

static enum ork_status ask(void *context, uint32_t rank)
{
    struct ork_leaf *leaf = context;

    if (rank >= leaf->num_ranks || leaf->by_rank[rank] == 0 ||
        leaf->local[leaf->by_rank[rank] - 1].fd < 0)
        return ORK_NOTFOUND;
    atomic_fetch_add_explicit(&leaf->local[leaf->by_rank[rank] - 1].ring->asked, 1,
                              memory_order_relaxed);
    return ORK_OK;
}

static void kill_all(void *context)
{
    struct ork_leaf *leaf = context;

    for (uint32_t i = 0; i < leaf->num_local; i++) {
        struct local *l = &leaf->local[i];
        if (l->attached && l->fd >= 0 && l->pidfd >= 0)
            syscall(SYS_pidfd_send_signal, l->pidfd, SIGKILL, NULL, 0);
    }
}

struct ork_down ork_leaf_down(struct ork_leaf *leaf)
{
    return (struct ork_down){.context = leaf, .collect = collect, .ask = ask, .kill_all = kill_all};
}
