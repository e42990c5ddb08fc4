/* SPDX-License-Identifier: BSD-3-Clause */
/* Forced twins of the functions that are choice points. Each finds the next choice of its thread
 * and makes a call that can only have this outcome (docs/explanation/order.md). Outside recorded
 * calls, and after a divergence, they are the real functions. */
#include "interceptor/force.h"

#include "interceptor/call.h"
#include "interceptor/choice.h"
#include "interceptor/force_requests.h"
#include "interceptor/replay.h"

#include <sched.h>

#define FORCED(X)                                                                                  \
    X(MPI_Recv)                                                                                    \
    X(MPI_Irecv)                                                                                   \
    X(MPI_Recv_init)                                                                               \
    X(MPI_Start)                                                                                   \
    X(MPI_Startall)                                                                                \
    X(MPI_Sendrecv)                                                                                \
    X(MPI_Sendrecv_replace)                                                                        \
    X(MPI_Probe)                                                                                   \
    X(MPI_Mprobe)                                                                                  \
    X(MPI_Iprobe)                                                                                  \
    X(MPI_Improbe)                                                                                 \
    X(MPI_Wait)                                                                                    \
    X(MPI_Waitall)                                                                                 \
    X(MPI_Waitany)                                                                                 \
    X(MPI_Waitsome)                                                                                \
    X(MPI_Test)                                                                                    \
    X(MPI_Testall)                                                                                 \
    X(MPI_Testany)                                                                                 \
    X(MPI_Testsome)                                                                                \
    X(MPI_Request_get_status)                                                                      \
    X(MPI_Request_free)                                                                            \
    X(MPI_Cancel)                                                                                  \
    X(MPI_Win_test)

static ork_function real[ORK_CALL_MAX];
#define REAL(name) ((__typeof__(&P##name))real[ORK_CALL_##name])

/* A communicator on which no message is ever sent. */
static MPI_Comm silent = MPI_COMM_NULL;

/* Is this function called by the application's recorded call? RATIONALE: once; calls of the library
 * inside it are not, nor are those that the interceptor makes before it. */
static bool is_own(enum ork_call_id id)
{
    bool own = ork_thread.call == id && atomic_load_explicit(&ork_recording, memory_order_relaxed);

    if (own)
        ork_thread.call = UINT16_MAX;
    return own;
}

static bool is_forced(enum ork_call_id id)
{
    return is_own(id) && ork_replay_is_on();
}

static void diverge(enum ork_divergence why, enum ork_call_id id)
{
    ork_lock();
    if (ork_replay_is_on())
        ork_replay_diverge(why, (uint16_t)id, ork_thread.site);
    ork_unlock();
}

/* Does the next choice belong to this call? Else the rank has diverged. */
static bool is_next(const struct ork_choice *next, enum ork_choice_kind kind, enum ork_call_id id)
{
    enum ork_divergence why = 0;

    if (next->kind == ORK_CHOICE_END)
        why = ORK_DIVERGED_MORE;
    else if (next->kind != kind || next->call != id)
        why = ORK_DIVERGED_CALL;
    else if (next->place != ork_choice_place_of(ork_thread.site))
        why = ORK_DIVERGED_PLACE;
    if (why != 0)
        ork_replay_diverge(why, (uint16_t)id, ork_thread.site);
    return why == 0;
}

/* The next choice, which is one of this call; NULL: the call is free. */
static const struct ork_choice *next_choice(enum ork_choice_kind kind, enum ork_call_id id)
{
    ork_lock();
    const struct ork_choice *next = ork_replay_next();
    if (next != NULL && !is_next(next, kind, id))
        next = NULL;
    ork_unlock();
    return next;
}

enum poll { POLL_FREE, POLL_FAILS, POLL_SUCCEEDS };

/* RATIONALE: an unsuccessful poll makes no call, because a real one could succeed. Others run on
 * meanwhile. */
static enum poll next_poll(enum ork_choice_kind kind, enum ork_call_id id,
                           const struct ork_choice **next)
{
    enum poll poll = POLL_FREE;

    ork_lock();
    *next = ork_replay_next();
    if (*next != NULL && ork_replay_polls_fail(*next))
        poll = POLL_FAILS;
    else if (*next != NULL && is_next(*next, kind, id))
        poll = POLL_SUCCEEDS;
    ork_unlock();
    if (poll == POLL_FAILS)
        sched_yield();
    return poll;
}

/* ---- waiting for the recorded outcome ---- */

enum { YIELDS = 1000, PAUSE_NS = 50000 };

/* RATIONALE: the message may never come, because the program does not do what it did when it was
 * recorded. Only the tool sees that no rank can go on; then it releases those that wait. */
struct waiting {
    uint32_t released;
    unsigned tries;
};

static uint32_t num_released(void)
{
    return atomic_load_explicit(&ork_recorder.ring->released, memory_order_relaxed);
}

static struct waiting begin_waiting(void)
{
    return (struct waiting){.released = num_released()};
}

/* False: the rank was released, and has diverged. */
static bool wait_on(struct waiting *w, enum ork_call_id id)
{
    int saved = errno;

    if (w->tries++ < YIELDS)
        sched_yield();
    else
        nanosleep(&(struct timespec){.tv_nsec = PAUSE_NS}, NULL);
    errno = saved;
    if (w->released == num_released() && ork_replay_is_on())
        return true;
    diverge(ORK_DIVERGED_OUTCOME, id);
    return false;
}

/* ---- receives and probes ---- */

/* Name source and tag of the choice. False: this call cannot have had this outcome. */
static bool name(const struct ork_choice *choice, MPI_Comm comm, int *source, int *tag)
{
    int inter = 0, size = 0;

    PMPI_Comm_test_inter(comm, &inter);
    if (inter)
        PMPI_Comm_remote_size(comm, &size);
    else
        PMPI_Comm_size(comm, &size);
    if (choice->source < 0 || choice->source >= size || choice->tag < 0 ||
        (*source != MPI_ANY_SOURCE && *source != choice->source) ||
        (*tag != MPI_ANY_TAG && *tag != choice->tag))
        return false;
    *source = choice->source;
    *tag = choice->tag;
    return true;
}

/* Wait for the message. False: the call is free. RATIONALE: MPI_Sendrecv must send first. */
static bool has_come(enum ork_call_id id, int source, int tag, MPI_Comm comm)
{
    struct waiting w = begin_waiting();
    int flag = id == ORK_CALL_MPI_Sendrecv || id == ORK_CALL_MPI_Sendrecv_replace;
    int result = MPI_SUCCESS;

    while (!flag && result == MPI_SUCCESS) {
        result = REAL(MPI_Iprobe)(source, tag, comm, &flag, MPI_STATUS_IGNORE);
        if (result == MPI_SUCCESS && !flag && !wait_on(&w, id))
            return false;
    }
    return true;
}

static void force_envelope(enum ork_choice_kind kind, enum ork_call_id id, MPI_Comm comm,
                           int *source, int *tag)
{
    if (!is_forced(id) || !ork_is_wildcard(*source, *tag))
        return;
    const struct ork_choice *next = next_choice(kind, id);
    if (next == NULL)
        return;
    int any_source = *source, any_tag = *tag;
    if (!name(next, comm, source, tag)) {
        diverge(ORK_DIVERGED_OUTCOME, id);
    } else if (!has_come(id, *source, *tag, comm)) {
        *source = any_source;
        *tag = any_tag;
    }
}

static int forced_MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
                           MPI_Comm comm, MPI_Status *status)
{
    force_envelope(ORK_CHOICE_RECEIVE, ORK_CALL_MPI_Recv, comm, &source, &tag);
    return REAL(MPI_Recv)(buf, count, datatype, source, tag, comm, status);
}

static int forced_MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
                               int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                               int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    force_envelope(ORK_CHOICE_RECEIVE, ORK_CALL_MPI_Sendrecv, comm, &source, &recvtag);
    return REAL(MPI_Sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                              recvtype, source, recvtag, comm, status);
}

static int forced_MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest,
                                       int sendtag, int source, int recvtag, MPI_Comm comm,
                                       MPI_Status *status)
{
    force_envelope(ORK_CHOICE_RECEIVE, ORK_CALL_MPI_Sendrecv_replace, comm, &source, &recvtag);
    return REAL(MPI_Sendrecv_replace)(buf, count, datatype, dest, sendtag, source, recvtag, comm,
                                      status);
}

static int forced_MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    force_envelope(ORK_CHOICE_PROBE, ORK_CALL_MPI_Probe, comm, &source, &tag);
    return REAL(MPI_Probe)(source, tag, comm, status);
}

static int forced_MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                             MPI_Status *status)
{
    force_envelope(ORK_CHOICE_PROBE, ORK_CALL_MPI_Mprobe, comm, &source, &tag);
    return REAL(MPI_Mprobe)(source, tag, comm, message, status);
}

/* What a nonblocking probe has to do; with POLL_SUCCEEDS, source and tag are named. */
static enum poll poll_envelope(enum ork_call_id id, MPI_Comm comm, int *source, int *tag)
{
    const struct ork_choice *next;
    enum poll poll = is_forced(id) ? next_poll(ORK_CHOICE_PROBE, id, &next) : POLL_FREE;

    if (poll != POLL_SUCCEEDS || *source == MPI_PROC_NULL)
        return poll == POLL_FAILS ? POLL_FAILS : POLL_FREE;
    if (name(next, comm, source, tag))
        return POLL_SUCCEEDS;
    diverge(ORK_DIVERGED_OUTCOME, id);
    return POLL_FREE;
}

static int forced_MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    enum poll poll = poll_envelope(ORK_CALL_MPI_Iprobe, comm, &source, &tag);

    if (poll == POLL_FREE)
        return REAL(MPI_Iprobe)(source, tag, comm, flag, status);
    *flag = poll == POLL_SUCCEEDS;
    return poll == POLL_SUCCEEDS ? REAL(MPI_Probe)(source, tag, comm, status) : MPI_SUCCESS;
}

static int forced_MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                              MPI_Status *status)
{
    enum poll poll = poll_envelope(ORK_CALL_MPI_Improbe, comm, &source, &tag);

    if (poll == POLL_FREE)
        return REAL(MPI_Improbe)(source, tag, comm, flag, message, status);
    *flag = poll == POLL_SUCCEEDS;
    if (poll == POLL_FAILS)
        return MPI_SUCCESS;
    return REAL(MPI_Mprobe)(source, tag, comm, message, status);
}

/* ---- nonblocking and persistent receives: their outcome is known when they are posted ---- */

/* The receive that the calling thread posts now, with its recorded source; MPI_COMM_NULL as the
 * communicator: it has to stay incomplete, because it was cancelled. False: it is free. */
static bool name_post(enum ork_call_id id, int *source, int *tag, MPI_Comm *comm)
{
    ork_lock();
    const struct ork_choice *c =
        ork_replay_outcome(ORK_CHOICE_RECEIVE, ork_thread.ordinal, ork_thread.posts + 1);
    ork_unlock();
    if (c == NULL)
        return false;
    if (c->source == ORK_CANCELLED) {
        *comm = MPI_COMM_NULL;
        return true;
    }
    if (!name(c, *comm, source, tag)) {
        diverge(ORK_DIVERGED_OUTCOME, id);
        return false;
    }
    return true;
}

/* MPI_COMM_NULL: a receive that stays incomplete. */
static int post(void *buf, int count, MPI_Datatype datatype, int source, int tag, MPI_Comm comm,
                MPI_Request *request)
{
    if (comm == MPI_COMM_NULL)
        return REAL(MPI_Irecv)(NULL, 0, MPI_BYTE, 0, 0, silent, request);
    return REAL(MPI_Irecv)(buf, count, datatype, source, tag, comm, request);
}

/* Was the nonblocking receive that the calling thread starts now cancelled? */
static bool is_cancelled_later(void)
{
    uint32_t ordinal = (ork_thread.receives + 1) << ORK_R_ORDINAL_SHIFT >> ORK_R_ORDINAL_SHIFT;

    ork_lock();
    const struct ork_choice *c = ork_replay_outcome(ORK_CHOICE_CANCEL, ork_thread.ordinal, ordinal);
    ork_unlock();
    return c != NULL && c->source == 1;
}

static int forced_MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
                            MPI_Comm comm, MPI_Request *request)
{
    if (!is_forced(ORK_CALL_MPI_Irecv) || comm == MPI_COMM_NULL)
        return REAL(MPI_Irecv)(buf, count, datatype, source, tag, comm, request);
    if (ork_is_wildcard(source, tag))
        name_post(ORK_CALL_MPI_Irecv, &source, &tag, &comm);
    else if (is_cancelled_later())
        comm = MPI_COMM_NULL;
    return post(buf, count, datatype, source, tag, comm, request);
}

static int forced_MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag,
                                MPI_Comm comm, MPI_Request *request)
{
    bool forced = is_forced(ORK_CALL_MPI_Recv_init);
    int result = REAL(MPI_Recv_init)(buf, count, datatype, source, tag, comm, request);

    if (forced && result == MPI_SUCCESS && ork_is_wildcard(source, tag))
        ork_persistent_add(&(struct ork_persistent){.handle = *request,
                                                    .buffer = buf,
                                                    .count = count,
                                                    .datatype = datatype,
                                                    .source = source,
                                                    .tag = tag,
                                                    .comm = comm,
                                                    .stand_in = MPI_REQUEST_NULL});
    return result;
}

/* Start one request of a call. `ahead`: wildcard receives that the call has started before. */
static int start_one(enum ork_call_id id, MPI_Request *request, uint64_t *ahead)
{
    struct ork_persistent p;

    if (*request == MPI_REQUEST_NULL || !ork_persistent_find(*request, &p))
        return REAL(MPI_Start)(request);
    uint64_t posts = ork_thread.posts;
    ork_thread.posts += (*ahead)++;
    bool named = ork_replay_is_on() && name_post(id, &p.source, &p.tag, &p.comm);
    ork_thread.posts = posts;
    if (!named)
        return REAL(MPI_Start)(request);
    int result = post(p.buffer, p.count, p.datatype, p.source, p.tag, p.comm, &p.stand_in);
    if (result == MPI_SUCCESS)
        ork_persistent_started(*request, p.stand_in);
    return result;
}

static int forced_MPI_Start(MPI_Request *request)
{
    uint64_t ahead = 0;

    if (!is_forced(ORK_CALL_MPI_Start))
        return REAL(MPI_Start)(request);
    return start_one(ORK_CALL_MPI_Start, request, &ahead);
}

static int forced_MPI_Startall(int count, MPI_Request request[])
{
    uint64_t ahead = 0;
    int result = MPI_SUCCESS;

    if (!is_forced(ORK_CALL_MPI_Startall))
        return REAL(MPI_Startall)(count, request);
    for (int i = 0; i < count && result == MPI_SUCCESS; i++)
        result = start_one(ORK_CALL_MPI_Startall, &request[i], &ahead);
    return result;
}

/* ---- completion ---- */

static int forced_MPI_Wait(MPI_Request *request, MPI_Status *status)
{
    struct ork_swap swap;

    if (!is_own(ORK_CALL_MPI_Wait))
        return REAL(MPI_Wait)(request, status);
    ork_swap_in(&swap, 1, request);
    int result = REAL(MPI_Wait)(swap.request, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Waitall(int count, MPI_Request request[], MPI_Status status[])
{
    struct ork_swap swap;

    if (!is_own(ORK_CALL_MPI_Waitall))
        return REAL(MPI_Waitall)(count, request, status);
    ork_swap_in(&swap, count, request);
    int result = REAL(MPI_Waitall)(count, swap.request, status);
    ork_swap_out(&swap);
    return result;
}

/* Can these requests of the array complete? */
static bool has_indices(const struct ork_choice *next, int count, const MPI_Request *request)
{
    for (uint32_t i = 0; i < next->count; i++) {
        if (next->index[i] >= (uint32_t)count || request[next->index[i]] == MPI_REQUEST_NULL)
            return false;
    }
    return true;
}

/* The one recorded index. False: this call cannot have had this outcome. */
static bool name_index(const struct ork_choice *next, enum ork_call_id id, int count,
                       const MPI_Request *request)
{
    if (next->count == 1 && has_indices(next, count, request))
        return true;
    diverge(ORK_DIVERGED_OUTCOME, id);
    return false;
}

static int wait_index(const struct ork_choice *next, int count, MPI_Request *request, int *index,
                      MPI_Status *status)
{
    struct ork_swap swap;

    ork_swap_in(&swap, count, request);
    int result = REAL(MPI_Wait)(&swap.request[next->index[0]], status);
    ork_swap_out(&swap);
    *index = (int)next->index[0];
    return result;
}

static bool name_indices(const struct ork_choice *next, enum ork_call_id id, int count,
                         const MPI_Request *request)
{
    if (has_indices(next, count, request))
        return true;
    diverge(ORK_DIVERGED_OUTCOME, id);
    return false;
}

static int wait_indices(const struct ork_choice *next, int count, MPI_Request *request,
                        int *outcount, int *index, MPI_Status *status)
{
    struct ork_swap swap;
    int result = MPI_SUCCESS;

    ork_swap_in(&swap, count, request);
    for (uint32_t i = 0; i < next->count; i++) {
        MPI_Status *own = status != MPI_STATUSES_IGNORE ? &status[i] : MPI_STATUS_IGNORE;
        int one = REAL(MPI_Wait)(&swap.request[next->index[i]], own);
        index[i] = (int)next->index[i];
        if (own != MPI_STATUS_IGNORE)
            own->MPI_ERROR = one;
        if (one != MPI_SUCCESS)
            result = MPI_ERR_IN_STATUS;
    }
    ork_swap_out(&swap);
    *outcount = (int)next->count;
    return result;
}

/* RATIONALE: without indices all requests of the array were inactive: the real call returns at
 * once. */
static int forced_MPI_Waitany(int count, MPI_Request request[], int *index, MPI_Status *status)
{
    const struct ork_choice *next = NULL;
    struct ork_swap swap;

    if (!is_own(ORK_CALL_MPI_Waitany))
        return REAL(MPI_Waitany)(count, request, index, status);
    if (ork_replay_is_on())
        next = next_choice(ORK_CHOICE_WAIT, ORK_CALL_MPI_Waitany);
    if (next != NULL && next->count > 0 && name_index(next, ORK_CALL_MPI_Waitany, count, request))
        return wait_index(next, count, request, index, status);
    ork_swap_in(&swap, count, request);
    int result = REAL(MPI_Waitany)(count, swap.request, index, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Waitsome(int incount, MPI_Request request[], int *outcount, int index[],
                               MPI_Status status[])
{
    const struct ork_choice *next = NULL;
    struct ork_swap swap;

    if (!is_own(ORK_CALL_MPI_Waitsome))
        return REAL(MPI_Waitsome)(incount, request, outcount, index, status);
    if (ork_replay_is_on())
        next = next_choice(ORK_CHOICE_WAIT, ORK_CALL_MPI_Waitsome);
    if (next != NULL && next->count > 0 &&
        name_indices(next, ORK_CALL_MPI_Waitsome, incount, request))
        return wait_indices(next, incount, request, outcount, index, status);
    ork_swap_in(&swap, incount, request);
    int result = REAL(MPI_Waitsome)(incount, swap.request, outcount, index, status);
    ork_swap_out(&swap);
    return result;
}

static enum poll poll_of(enum ork_call_id id, const struct ork_choice **next)
{
    return ork_replay_is_on() ? next_poll(ORK_CHOICE_TEST, id, next) : POLL_FREE;
}

static int forced_MPI_Test(MPI_Request *request, int *flag, MPI_Status *status)
{
    const struct ork_choice *next;
    struct ork_swap swap;
    int result;

    if (!is_own(ORK_CALL_MPI_Test))
        return REAL(MPI_Test)(request, flag, status);
    enum poll poll = poll_of(ORK_CALL_MPI_Test, &next);
    *flag = poll == POLL_SUCCEEDS;
    if (poll == POLL_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, 1, request);
    if (poll == POLL_SUCCEEDS)
        result = REAL(MPI_Wait)(swap.request, status);
    else
        result = REAL(MPI_Test)(swap.request, flag, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Testall(int count, MPI_Request request[], int *flag, MPI_Status status[])
{
    const struct ork_choice *next;
    struct ork_swap swap;
    int result;

    if (!is_own(ORK_CALL_MPI_Testall))
        return REAL(MPI_Testall)(count, request, flag, status);
    enum poll poll = poll_of(ORK_CALL_MPI_Testall, &next);
    *flag = poll == POLL_SUCCEEDS;
    if (poll == POLL_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, count, request);
    if (poll == POLL_SUCCEEDS)
        result = REAL(MPI_Waitall)(count, swap.request, status);
    else
        result = REAL(MPI_Testall)(count, swap.request, flag, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Testany(int count, MPI_Request request[], int *index, int *flag,
                              MPI_Status *status)
{
    const struct ork_choice *next;
    struct ork_swap swap;

    if (!is_own(ORK_CALL_MPI_Testany))
        return REAL(MPI_Testany)(count, request, index, flag, status);
    enum poll poll = poll_of(ORK_CALL_MPI_Testany, &next);
    *flag = poll == POLL_SUCCEEDS;
    *index = MPI_UNDEFINED;
    if (poll == POLL_FAILS)
        return MPI_SUCCESS;
    if (poll == POLL_SUCCEEDS && next->count > 0 &&
        name_index(next, ORK_CALL_MPI_Testany, count, request))
        return wait_index(next, count, request, index, status);
    ork_swap_in(&swap, count, request);
    int result = REAL(MPI_Testany)(count, swap.request, index, flag, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Testsome(int incount, MPI_Request request[], int *outcount, int index[],
                               MPI_Status status[])
{
    const struct ork_choice *next;
    struct ork_swap swap;

    if (!is_own(ORK_CALL_MPI_Testsome))
        return REAL(MPI_Testsome)(incount, request, outcount, index, status);
    enum poll poll = poll_of(ORK_CALL_MPI_Testsome, &next);
    *outcount = 0;
    if (poll == POLL_FAILS)
        return MPI_SUCCESS;
    if (poll == POLL_SUCCEEDS && next->count > 0 &&
        name_indices(next, ORK_CALL_MPI_Testsome, incount, request))
        return wait_indices(next, incount, request, outcount, index, status);
    ork_swap_in(&swap, incount, request);
    int result = REAL(MPI_Testsome)(incount, swap.request, outcount, index, status);
    ork_swap_out(&swap);
    return result;
}

static int forced_MPI_Request_get_status(MPI_Request request, int *flag, MPI_Status *status)
{
    const struct ork_choice *next;
    struct ork_swap swap;

    if (!is_own(ORK_CALL_MPI_Request_get_status))
        return REAL(MPI_Request_get_status)(request, flag, status);
    enum poll poll = poll_of(ORK_CALL_MPI_Request_get_status, &next);
    *flag = 0;
    if (poll == POLL_FAILS)
        return MPI_SUCCESS;
    ork_swap_in(&swap, 1, &request);
    int result = REAL(MPI_Request_get_status)(swap.request[0], flag, status);
    while (poll == POLL_SUCCEEDS && result == MPI_SUCCESS && !*flag) {
        sched_yield();
        result = REAL(MPI_Request_get_status)(swap.request[0], flag, status);
    }
    return result;
}

static int forced_MPI_Win_test(MPI_Win win, int *flag)
{
    const struct ork_choice *next;
    enum poll poll =
        is_own(ORK_CALL_MPI_Win_test) ? poll_of(ORK_CALL_MPI_Win_test, &next) : POLL_FREE;

    if (poll == POLL_FREE)
        return REAL(MPI_Win_test)(win, flag);
    *flag = poll == POLL_SUCCEEDS;
    return poll == POLL_SUCCEEDS ? ORK_NEXT(MPI_Win_wait)(win) : MPI_SUCCESS;
}

/* ---- cancelling and freeing ---- */

static int cancel(MPI_Request *request)
{
    struct ork_swap swap;

    ork_swap_in(&swap, 1, request);
    int result = REAL(MPI_Cancel)(swap.request);
    ork_swap_out(&swap);
    return result;
}

/* RATIONALE: an operation that was not cancelled is not cancelled now, either; one that was got no
 * message when it was posted. */
static int forced_MPI_Cancel(MPI_Request *request)
{
    const struct ork_choice *c = NULL;

    if (!is_own(ORK_CALL_MPI_Cancel))
        return REAL(MPI_Cancel)(request);
    ork_lock();
    struct ork_request found = ork_request_find(*request);
    bool wildcard = (found.flags & ORK_R_WILDCARD) != 0;
    if (ork_replay_is_on())
        c = ork_choice_recorded(wildcard ? ORK_CHOICE_RECEIVE : ORK_CHOICE_CANCEL, found.id);
    ork_unlock();
    bool was_cancelled = c != NULL && c->source == (wildcard ? ORK_CANCELLED : 1);
    return c == NULL || was_cancelled ? cancel(request) : MPI_SUCCESS;
}

static int forced_MPI_Request_free(MPI_Request *request)
{
    struct ork_persistent p;

    if (is_own(ORK_CALL_MPI_Request_free) && *request != MPI_REQUEST_NULL &&
        ork_persistent_find(*request, &p)) {
        if (p.stand_in != MPI_REQUEST_NULL)
            REAL(MPI_Request_free)(&p.stand_in);
        ork_persistent_started(*request, MPI_REQUEST_NULL);
        ork_persistent_remove(*request);
    }
    return REAL(MPI_Request_free)(request);
}

void ork_force_init(void)
{
    if (!ork_replay_is_on())
        return;
    ork_errand_add(ORK_ERRAND_REPLAY);
    ORK_NEXT(MPI_Comm_dup)(MPI_COMM_SELF, &silent);
#define REPLACE(name_)                                                                             \
    real[ORK_CALL_##name_] = ork_next(ORK_CALL_##name_, "P" #name_);                               \
    atomic_store(&ork_next_table[ORK_CALL_##name_], (ork_function)forced_##name_);
    FORCED(REPLACE)
#undef REPLACE
}
