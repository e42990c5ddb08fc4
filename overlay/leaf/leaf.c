/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/leaf/leaf_internal.h"

#include "common/log.h"
#include "common/vec.h"
#include "overlay/leaf/attach.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* RATIONALE: signals go through a pidfd, because the pid may be reused by another process. */
static int pidfd_of(uint32_t pid)
{
    return (int)syscall(SYS_pidfd_open, (pid_t)pid, 0);
}

/* One step visits the rings repeatedly while there is something to take, for at most this time.
 * RATIONALE: if ranks only make collective calls, a round may be one call of each; a few rounds
 * between two sleeps would not keep up with them. */
#define STEP_NS UINT64_C(5000000)
/* A collective call is held for its other ranks no longer than this. */
#define HOLD_NS UINT64_C(20000000)

/* Between two signs of life. */
#define BEAT_NS UINT64_C(250000000)
/* Connections that one look takes. */
enum { CONNECTIONS = 1024 };

/* Two descriptors per rank: raise the limit as far as the user may. */
static void raise_limit(void)
{
    struct rlimit limit;

    if (getrlimit(RLIMIT_NOFILE, &limit) == 0 && limit.rlim_cur < limit.rlim_max) {
        limit.rlim_cur = limit.rlim_max;
        setrlimit(RLIMIT_NOFILE, &limit);
    }
}

enum ork_status ork_leaf_create(const char *session, const char *token, uint32_t number,
                                const struct ork_up *up, struct ork_leaf **out)
{
    struct ork_leaf *leaf = calloc(1, sizeof(*leaf));

    if (leaf == NULL)
        return ORK_NOMEM;
    raise_limit();
    leaf->up = up;
    leaf->clock = &ork_system_clock;
    leaf->bell = -1;
    memcpy(leaf->token, token, strnlen(token, ORK_TOKEN_SIZE));
    leaf->fd = calloc(2, sizeof(*leaf->fd));
    enum ork_status status = leaf->fd == NULL ? ORK_NOMEM : ork_aggregate_create(up, &leaf->join);
    if (status == ORK_OK)
        status = ork_attach_listen(session, token, number, &leaf->listener);
    if (status != ORK_OK) {
        ork_aggregate_destroy(leaf->join);
        free(leaf->fd);
        free(leaf);
        return status;
    }
    leaf->fd[0] = (struct pollfd){.fd = leaf->listener, .events = POLLIN};
    leaf->num_fds = 1;
    leaf->sections = ork_attach_sections();
    *out = leaf;
    return ORK_OK;
}

void ork_leaf_set_clock(struct ork_leaf *leaf, const struct ork_clock *clock)
{
    leaf->clock = clock;
}

int ork_leaf_make_sections(void)
{
    return ork_attach_sections();
}

void ork_leaf_share_sections(struct ork_leaf *leaf, int sections)
{
    if (leaf->sections >= 0)
        close(leaf->sections);
    leaf->sections = sections;
}

void ork_leaf_set_replay(struct ork_leaf *leaf, const struct ork_order_file *file)
{
    leaf->replay = file;
}

static void local_release(struct local *l)
{
    if (l->fd >= 0)
        close(l->fd);
    if (l->pidfd >= 0)
        close(l->pidfd);
    ork_attach_unmap(l->ring);
    free(l->member);
    free(l->decision);
    l->decision = NULL;
    l->num_decisions = l->cap_decisions = 0;
    l->fd = l->pidfd = -1;
    l->ring = NULL;
    l->member = NULL;
    l->num_comms = 0;
}

void ork_leaf_destroy(struct ork_leaf *leaf)
{
    if (leaf == NULL)
        return;
    for (uint32_t i = 0; i < leaf->num_local; i++)
        local_release(&leaf->local[i]);
    for (uint32_t i = 0; i < GRAVES; i++)
        ork_attach_unmap(leaf->grave[i].ring);
    close(leaf->listener);
    if (leaf->bell >= 0)
        close(leaf->bell);
    if (leaf->sections >= 0)
        close(leaf->sections);
    free(leaf->local);
    free(leaf->by_rank);
    free(leaf->lockstep.place);
    free(leaf->lockstep.span);
    free(leaf->job);
    ork_aggregate_destroy(leaf->join);
    ork_stacks_destroy(leaf->stacks);
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

bool ork_leaf_is_silent(const struct ork_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        const struct local *l = &leaf->local[i];
        if (l->fd >= 0 && (!l->attached || atomic_load(&l->ring->head) > ORK_RING_FIRST))
            return false;
    }
    return true;
}

void ork_leaf_pids(const struct ork_leaf *leaf, uint32_t *pid, uint32_t room)
{
    for (uint32_t i = 0; i < leaf->num_local && room > 0; i++) {
        if (!leaf->local[i].attached || leaf->local[i].fd < 0)
            continue;
        *pid++ = leaf->local[i].pid;
        room--;
    }
}

/* ---- attaching ---- */

static enum ork_status reserve_local(struct ork_leaf *leaf)
{
    if (leaf->num_local < leaf->cap_local)
        return ORK_OK;
    uint32_t cap = leaf->cap_local == 0 ? 16 : leaf->cap_local * 2;
    struct local *locals = realloc(leaf->local, cap * sizeof(*locals));
    if (locals == NULL)
        return ORK_NOMEM;
    leaf->local = locals;
    struct pollfd *fds = realloc(leaf->fd, (cap + 2) * sizeof(*fds));
    if (fds == NULL)
        return ORK_NOMEM;
    leaf->fd = fds;
    leaf->cap_local = cap;
    return ORK_OK;
}

/* RATIONALE: any user can connect again and again. What is left is taken at the next look. */
static enum ork_status take_connections(struct ork_leaf *leaf)
{
    for (unsigned i = 0; i < CONNECTIONS; i++) {
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
    return ORK_OK;
}

static bool reserve_rank(struct ork_leaf *leaf, uint32_t rank)
{
    return ork_vec_reserve(&leaf->by_rank, &leaf->num_ranks, rank + 1, sizeof(*leaf->by_rank));
}

/* The index of a job in the table; a new one is reported upwards, which may be answered at once. */
static enum ork_status find_job(struct ork_leaf *leaf, const struct ork_hello *hello,
                                uint32_t *place)
{
    for (*place = 0; *place < leaf->num_jobs; (*place)++) {
        if (strcmp(leaf->job[*place].name.name, hello->job) == 0)
            return ORK_OK;
    }
    if (!ork_vec_extend(&leaf->job, leaf->num_jobs, leaf->num_jobs + 1, sizeof(*leaf->job)))
        return ORK_NOMEM;
    struct job *job = &leaf->job[leaf->num_jobs++];
    *job = (struct job){.name = {.size = hello->size}};
    memcpy(job->name.name, hello->job, sizeof(job->name.name));
    struct ork_job_name name = job->name;
    return ork_up_deliver(leaf->up, &(struct ork_event){.kind = ORK_EVENT_JOB, .job = &name});
}

static enum ork_status handshake(struct ork_leaf *leaf, struct local *l)
{
    struct ork_hello hello;
    enum ork_status status = ork_attach_accept(l->fd, leaf->token, &hello, &l->ring);

    if (status == ORK_AGAIN)
        return ORK_OK;
    if (status == ORK_OK && leaf->replay == NULL)
        status = ork_attach_answer(l->fd, leaf->sections, -1, leaf->bell);
    if (status != ORK_OK) {
        if (status == ORK_DENIED)
            ork_error("a process that does not belong to this run was refused");
        struct ork_unseen unseen;
        if (status == ORK_NOTFOUND)
            ork_attach_read_unseen(l->fd, &unseen);
        local_release(l);
        return status == ORK_NOTFOUND
                   ? ork_up_deliver(
                         leaf->up, &(struct ork_event){.kind = ORK_EVENT_UNSEEN, .unseen = &unseen})
                   : ORK_OK;
    }
    l->rank_in_job = hello.rank;
    l->pid = hello.pid;
    l->pidfd = pidfd_of(hello.pid);
    return find_job(leaf, &hello, &l->job);
}

/* A second program in a rank's place is not that rank. */
static bool is_taken(const struct ork_leaf *leaf, uint32_t rank)
{
    return rank < leaf->num_ranks && leaf->by_rank[rank] != 0;
}

/* RATIONALE: a rank gets its choices with the answer, and its number says which are its own. One
 * that gets none goes on freely. False: the rank is gone. */
static bool answer_with_stream(struct ork_leaf *leaf, struct local *l)
{
    int stream = ork_leaf_stream_of(leaf, l);
    ork_leaf_pause_new(leaf, l);
    enum ork_status status = ork_attach_answer(l->fd, leaf->sections, stream, leaf->bell);

    if (stream >= 0)
        close(stream);
    return status == ORK_OK;
}

/* Its number is known, or will never be. */
static enum ork_status attach(struct ork_leaf *leaf, struct local *l)
{
    const struct job *job = &leaf->job[l->job];
    uint32_t limit = job->name.size > 0 ? job->name.size : ORK_RANKS_MAX;
    uint32_t rank = job->first + l->rank_in_job;

    if (job->refused || l->rank_in_job >= limit || is_taken(leaf, rank)) {
        if (leaf->replay != NULL)
            ork_attach_answer(l->fd, leaf->sections, -1, -1);
        local_release(l);
        return ork_up_deliver(leaf->up, &(struct ork_event){.kind = ORK_EVENT_UNASSIGNED});
    }
    if (!reserve_rank(leaf, rank))
        return ORK_NOMEM;
    l->rank = rank;
    if (leaf->replay != NULL && !answer_with_stream(leaf, l)) {
        local_release(l);
        return ORK_OK;
    }
    leaf->by_rank[rank] = (uint32_t)(l - leaf->local) + 1;
    l->attached = true;
    leaf->attached++;
    leaf->lockstep.known = false;
    atomic_store(&l->ring->decisions.is_watched, leaf->is_watched);
    return ork_up_deliver(
        leaf->up,
        &(struct ork_event){.kind = ORK_EVENT_ATTACH, .rank = rank, .attached = {.pid = l->pid}});
}

/* ---- ending ---- */

static void list_fds(struct ork_leaf *leaf)
{
    leaf->num_fds = 1;
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        const struct local *l = &leaf->local[i];
        if (l->fd >= 0)
            leaf->fd[leaf->num_fds++] = (struct pollfd){.fd = l->fd, .events = POLLIN | POLLRDHUP};
    }
    if (leaf->bell >= 0)
        leaf->fd[leaf->num_fds++] = (struct pollfd){.fd = leaf->bell, .events = POLLIN};
}

/* A rank that was accepted only writes to wake the leaf. */
static void clear_wakeup(const struct local *l)
{
    char rung[64];

    if (l->ring == NULL)
        return;
    ssize_t size = recv(l->fd, rung, sizeof(rung), MSG_DONTWAIT);
    (void)size;
}

/* Find ranks that attached or ended. One call for all ranks: an idle leaf costs little however many
 * there are. */
static enum ork_status look_around(struct ork_leaf *leaf)
{
    nfds_t at = 1;

    list_fds(leaf);
    if (poll(leaf->fd, leaf->num_fds, 0) <= 0)
        return ORK_OK;
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        struct local *l = &leaf->local[i];
        if (l->fd < 0)
            continue;
        const short found = leaf->fd[at++].revents;
        l->hung_up = (found & (POLLHUP | POLLRDHUP | POLLERR)) != 0;
        if ((found & POLLIN) != 0)
            clear_wakeup(l);
    }
    return leaf->fd[0].revents != 0 ? take_connections(leaf) : ORK_OK;
}

static void keep_ring(struct ork_leaf *leaf, struct local *l)
{
    struct grave *grave = &leaf->grave[leaf->num_graves++ % GRAVES];

    ork_attach_unmap(grave->ring);
    *grave = (struct grave){.rank = l->rank, .ring = l->ring};
    l->ring = NULL;
}

/* Have all records of the rank before number `head` been sent? */
static bool is_drained(const struct ork_leaf *leaf, const struct local *l, uint64_t head)
{
    return !ork_aggregate_buffers(leaf->join, (uint32_t)(l - leaf->local)) &&
           (l->broken || l->reader.number >= head);
}

static enum ork_status detach(struct ork_leaf *leaf, struct local *l)
{
    enum ork_status status = ork_leaf_report_order(leaf, l);

    if (status == ORK_OK)
        status = ork_leaf_report_end(leaf, l);
    leaf->attached--;
    leaf->lockstep.known = false;
    if (!l->broken)
        keep_ring(leaf, l);
    local_release(l);
    return status;
}

/* The rank goes on unrecorded, and all that it recorded before was sent. */
static enum ork_status tell_cut(struct ork_leaf *leaf, struct local *l)
{
    if (l->is_cut_told || atomic_load_explicit(&l->ring->is_cut, memory_order_acquire) == 0 ||
        !is_drained(leaf, l, atomic_load(&l->ring->head)) || ork_up_credit(leaf->up) == 0)
        return ORK_OK;
    l->is_cut_told = true;
    return ork_up_deliver(leaf->up, &(struct ork_event){.kind = ORK_EVENT_CUT, .rank = l->rank});
}

static enum ork_status visit(struct ork_leaf *leaf, struct local *l, size_t *moved)
{
    enum ork_status status = ORK_OK;

    if (l->ring == NULL) {
        status = handshake(leaf, l);
        if (status != ORK_OK || l->ring == NULL)
            return status;
    }
    if (!l->attached) {
        if (!leaf->job[l->job].known)
            return ORK_OK;
        *moved += 1;
        status = attach(leaf, l);
        if (status != ORK_OK || !l->attached)
            return status;
    }
    ork_leaf_pass_decisions(l);
    status = ork_leaf_drain(leaf, l, moved);
    if (status == ORK_OK)
        status = tell_cut(leaf, l);
    if (status != ORK_OK || !l->hung_up) /* seen before draining: all that it wrote is there */
        return status;
    if (!is_drained(leaf, l, atomic_load(&l->ring->head)))
        return status;                                        /* there was not enough credit */
    if (ork_up_credit(leaf->up) <= ork_leaf_order_records(l)) /* its last calls may not have been
                                                                  sent yet */
        return status;
    *moved += 1;
    return detach(leaf, l);
}

/* When held calls are released, the records after them can be taken at once. */
static enum ork_status visit_all(struct ork_leaf *leaf, size_t *moved)
{
    enum ork_status status = ork_leaf_drain_lockstep(leaf, moved);

    ork_leaf_begin_round(leaf);
    for (uint32_t i = 0; i < leaf->num_local && status == ORK_OK; i++) {
        if (leaf->local[i].fd >= 0)
            status = visit(leaf, &leaf->local[i], moved);
    }
    return status;
}

static uint64_t now(const struct ork_leaf *leaf)
{
    return leaf->clock->monotonic_ns(leaf->clock->context);
}

/* Release held calls: those that other ranks have passed while the root folds, or those that no
 * other rank will join. RATIONALE: if nothing came, none will. */
static enum ork_status let_go(struct ork_leaf *leaf, bool only_passed, size_t *moved)
{
    uint32_t held = ork_aggregate_num_buffered(leaf->join);
    enum ork_status status;

    if (held == 0 || ork_up_credit(leaf->up) == 0)
        return ORK_OK;
    if (only_passed)
        status = ork_leaf_release_passed(leaf);
    else
        status = ork_aggregate_flush(leaf->join, *moved == 0 ? UINT64_MAX : now(leaf) - HOLD_NS);
    *moved += held - ork_aggregate_num_buffered(leaf->join);
    return status;
}

enum ork_status ork_leaf_go_on(struct ork_leaf *leaf, size_t *moved)
{
    const uint64_t begin = now(leaf);
    enum ork_status status;
    size_t before;

    *moved = 0;
    leaf->now_ns = begin;
    do {
        before = *moved;
        status = leaf->is_folding ? let_go(leaf, true, moved) : ORK_OK;
        if (status == ORK_OK)
            status = visit_all(leaf, moved);
        leaf->is_again = true;
        leaf->now_ns = now(leaf);
    } while (status == ORK_OK && *moved > before && leaf->now_ns - begin < STEP_NS);
    list_fds(leaf);
    return status;
}

/* A sign of life to the ranks that wait for room. */
static void beat(struct ork_leaf *leaf)
{
    uint64_t at = now(leaf);

    if (at - leaf->beat_ns < BEAT_NS)
        return;
    leaf->beat_ns = at;
    leaf->beat++;
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        if (leaf->local[i].ring != NULL)
            atomic_store_explicit(&leaf->local[i].ring->beat, leaf->beat, memory_order_relaxed);
    }
}

void ork_leaf_ask_last(struct ork_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        struct local *l = &leaf->local[i];
        l->last = l->attached && l->fd >= 0 ? atomic_load(&l->ring->head) : 0;
    }
}

bool ork_leaf_has_sent_last(const struct ork_leaf *leaf)
{
    for (uint32_t i = 0; i < leaf->num_local; i++) {
        const struct local *l = &leaf->local[i];
        if (l->attached && l->fd >= 0 && (l->hung_up || !is_drained(leaf, l, l->last)))
            return false;
    }
    return true;
}

enum ork_status ork_leaf_step(struct ork_leaf *leaf, size_t *moved)
{
    ork_leaf_clear_bell(leaf);
    beat(leaf);
    enum ork_status status = look_around(leaf);

    *moved = 0;
    leaf->is_again = false;
    if (status == ORK_OK)
        status = ork_leaf_go_on(leaf, moved);
    return status == ORK_OK ? let_go(leaf, false, moved) : status;
}
