/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives and probes in a replay. */
#include "interceptor/bounds.h"
#include "interceptor/choice.h"
#include "interceptor/force_internal.h"
#include "interceptor/force_requests.h"
#include "interceptor/next.h"

/* A communicator on which no message is ever sent. */
static MPI_Comm silent = MPI_COMM_NULL;

/* Of the group from which messages come. */
static int size_of(MPI_Comm comm)
{
    const struct ork_comm_bounds *bounds = ork_bounds_of(comm);
    int inter = 0, size = 0;

    if (bounds->is_valid)
        return bounds->size;
    ORK_NEXT(MPI_Comm_test_inter)(comm, &inter);
    if (inter)
        ORK_NEXT(MPI_Comm_remote_size)(comm, &size);
    else
        ORK_NEXT(MPI_Comm_size)(comm, &size);
    return size;
}

/* Name source and tag of the choice. False: this call cannot have had this outcome. */
static bool name(const struct ork_choice *choice, MPI_Comm comm, int *source, int *tag)
{
    if (choice->source < 0 || choice->source >= size_of(comm) || choice->tag < 0 ||
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
    struct ork_force_waiting w = ork_force_begin_waiting();
    int flag = id == ORK_CALL_MPI_Sendrecv || id == ORK_CALL_MPI_Sendrecv_replace;
    int result = MPI_SUCCESS;

    while (!flag && result == MPI_SUCCESS) {
        result = REAL(MPI_Iprobe)(source, tag, comm, &flag, MPI_STATUS_IGNORE);
        if (result == MPI_SUCCESS && !flag && !ork_force_wait_on(&w, id))
            return false;
    }
    return true;
}

static void force_envelope(enum ork_choice_kind kind, enum ork_call_id id, MPI_Comm comm,
                           int *source, int *tag)
{
    if (!ork_force_is_on(id) || !ork_is_wildcard(*source, *tag))
        return;
    const struct ork_choice *next = ork_force_next(kind, id);
    if (next == NULL)
        return;
    int any_source = *source, any_tag = *tag;
    if (!name(next, comm, source, tag)) {
        ork_force_diverge(ORK_DIVERGED_OUTCOME, id);
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

/* What a nonblocking probe has to do; with ORK_FORCE_SUCCEEDS, source and tag are named. */
static enum ork_force_poll poll_envelope(enum ork_call_id id, MPI_Comm comm, int *source, int *tag)
{
    const struct ork_choice *next;
    enum ork_force_poll poll =
        ork_force_is_on(id) ? ork_force_next_poll(ORK_CHOICE_PROBE, id, &next) : ORK_FORCE_FREE;

    if (poll != ORK_FORCE_SUCCEEDS || *source == MPI_PROC_NULL)
        return poll == ORK_FORCE_FAILS ? ORK_FORCE_FAILS : ORK_FORCE_FREE;
    if (name(next, comm, source, tag))
        return ORK_FORCE_SUCCEEDS;
    ork_force_diverge(ORK_DIVERGED_OUTCOME, id);
    return ORK_FORCE_FREE;
}

static int forced_MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    enum ork_force_poll poll = poll_envelope(ORK_CALL_MPI_Iprobe, comm, &source, &tag);

    if (poll == ORK_FORCE_FREE)
        return REAL(MPI_Iprobe)(source, tag, comm, flag, status);
    *flag = poll == ORK_FORCE_SUCCEEDS;
    return poll == ORK_FORCE_SUCCEEDS ? REAL(MPI_Probe)(source, tag, comm, status) : MPI_SUCCESS;
}

static int forced_MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                              MPI_Status *status)
{
    enum ork_force_poll poll = poll_envelope(ORK_CALL_MPI_Improbe, comm, &source, &tag);

    if (poll == ORK_FORCE_FREE)
        return REAL(MPI_Improbe)(source, tag, comm, flag, message, status);
    *flag = poll == ORK_FORCE_SUCCEEDS;
    if (poll == ORK_FORCE_FAILS)
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
        ork_force_diverge(ORK_DIVERGED_OUTCOME, id);
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
    if (!ork_force_is_on(ORK_CALL_MPI_Irecv) || comm == MPI_COMM_NULL)
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
    bool forced = ork_force_is_on(ORK_CALL_MPI_Recv_init);
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

    if (!ork_force_is_on(ORK_CALL_MPI_Start))
        return REAL(MPI_Start)(request);
    return start_one(ORK_CALL_MPI_Start, request, &ahead);
}

static int forced_MPI_Startall(int count, MPI_Request request[])
{
    uint64_t ahead = 0;
    int result = MPI_SUCCESS;

    if (!ork_force_is_on(ORK_CALL_MPI_Startall))
        return REAL(MPI_Startall)(count, request);
    for (int i = 0; i < count && result == MPI_SUCCESS; i++)
        result = start_one(ORK_CALL_MPI_Startall, &request[i], &ahead);
    return result;
}

void ork_force_init_receives(void)
{
    ORK_NEXT(MPI_Comm_dup)(MPI_COMM_SELF, &silent);
    ORK_FORCE(MPI_Recv);
    ORK_FORCE(MPI_Sendrecv);
    ORK_FORCE(MPI_Sendrecv_replace);
    ORK_FORCE(MPI_Probe);
    ORK_FORCE(MPI_Mprobe);
    ORK_FORCE(MPI_Iprobe);
    ORK_FORCE(MPI_Improbe);
    ORK_FORCE(MPI_Irecv);
    ORK_FORCE(MPI_Recv_init);
    ORK_FORCE(MPI_Start);
    ORK_FORCE(MPI_Startall);
}
