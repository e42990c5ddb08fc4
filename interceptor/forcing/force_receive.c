/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives in a replay. */
#include "interceptor/outcomes/choice.h"
#include "interceptor/forcing/force_internal.h"
#include "interceptor/forcing/force_posts.h"
#include "interceptor/forcing/force_requests.h"
#include "interceptor/mpi/next.h"

#include <errno.h>
#include <stdlib.h>

/* ---- receives without a request ---- */

/* Give the posted receive up; false: it has got its message meanwhile. */
static bool give_up(MPI_Request *request, MPI_Status *status, int *result)
{
    MPI_Status own;
    int cancelled = 0;

    REAL(MPI_Cancel)(request);
    *result = REAL(MPI_Wait)(request, &own);
    ORK_NEXT(MPI_Test_cancelled)(&own, &cancelled);
    if (!cancelled && status != MPI_STATUS_IGNORE)
        *status = own;
    return cancelled;
}

static __attribute__((noinline)) bool receive_later(enum ork_call_id id,
                                                    struct ork_force_waiting *w,
                                                    MPI_Request *request, MPI_Status *status,
                                                    int *result)
{
    int flag = 0;

    while (*result == MPI_SUCCESS && !flag && ork_force_pause(w))
        *result = REAL(MPI_Test)(request, &flag, status);
    if (flag || *result != MPI_SUCCESS || !give_up(request, status, result))
        return true;
    ork_force_diverge(ORK_DIVERGED_OUTCOME, id);
    ork_posts_let_go();
    return false;
}

/* Wait until this receive is complete. False: its message does not come, and nothing is posted any
 * more. RATIONALE: a receive that is posted, and tested, costs less than a probe and a receive. */
static inline bool receive(enum ork_call_id id, MPI_Request *request, MPI_Status *status,
                           int *result)
{
    struct ork_force_waiting w = ork_force_begin_waiting();
    int flag = 0;

    *result = REAL(MPI_Test)(request, &flag, status);
    return ORK_LIKELY(flag) || receive_later(id, &w, request, status, result);
}

static int imposed_MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
                           MPI_Comm comm, MPI_Status *status)
{
    const enum ork_call_id id = ORK_CALL_MPI_Recv;
    int from = source, with = tag;
    MPI_Request request;

    if (!ork_force_envelope(ORK_CHOICE_RECEIVE, id, comm, &from, &with))
        return REAL(MPI_Recv)(buf, count, datatype, source, tag, comm, status);
    int result = REAL(MPI_Irecv)(buf, count, datatype, from, with, comm, &request);
    if (result != MPI_SUCCESS || receive(id, &request, status, &result))
        return result;
    return REAL(MPI_Recv)(buf, count, datatype, source, tag, comm, status);
}

/* A call that sends a message and receives another one. */
struct exchange {
    enum ork_call_id id;
    const void *out;
    int out_count;
    MPI_Datatype out_type;
    int dest, out_tag;
    void *in;
    int in_count;
    MPI_Datatype in_type;
    int source, in_tag; /* as the application gave them */
    MPI_Comm comm;
    MPI_Status *status;
};

/* Receive from the recorded source. RATIONALE: the message that comes may be an answer to the one
 * that goes. */
static int exchange(const struct exchange *x, int source, int tag)
{
    MPI_Request request;
    int result = REAL(MPI_Irecv)(x->in, x->in_count, x->in_type, source, tag, x->comm, &request);

    if (result != MPI_SUCCESS)
        return result;
    int sent = ORK_NEXT(MPI_Send)(x->out, x->out_count, x->out_type, x->dest, x->out_tag, x->comm);
    if (sent != MPI_SUCCESS) {
        give_up(&request, x->status, &result);
        return sent;
    }
    if (receive(x->id, &request, x->status, &result))
        return result;
    return REAL(MPI_Recv)(x->in, x->in_count, x->in_type, x->source, x->in_tag, x->comm, x->status);
}

static int imposed_MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
                               int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                               int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    const struct exchange x = {ORK_CALL_MPI_Sendrecv,
                               sendbuf,
                               sendcount,
                               sendtype,
                               dest,
                               sendtag,
                               recvbuf,
                               recvcount,
                               recvtype,
                               source,
                               recvtag,
                               comm,
                               status};
    int from = source, with = recvtag;

    if (ork_force_envelope(ORK_CHOICE_RECEIVE, x.id, comm, &from, &with))
        return exchange(&x, from, with);
    return REAL(MPI_Sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf, recvcount,
                              recvtype, source, recvtag, comm, status);
}

/* A copy of what is sent, packed; NULL: there is no memory, or an error. */
static void *pack(const void *buf, int count, MPI_Datatype datatype, MPI_Comm comm, int *size)
{
    int room = 0, saved = errno;
    void *copy = NULL;

    *size = 0;
    if (ORK_NEXT(MPI_Pack_size)(count, datatype, comm, &room) == MPI_SUCCESS)
        copy = malloc((size_t)room + 1);
    errno = saved;
    if (copy != NULL &&
        ORK_NEXT(MPI_Pack)(buf, count, datatype, copy, room, size, comm) == MPI_SUCCESS)
        return copy;
    free(copy);
    return NULL;
}

/* RATIONALE: without memory for the copy, the library makes the exchange: it cannot be released. */
static int imposed_MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest,
                                       int sendtag, int source, int recvtag, MPI_Comm comm,
                                       MPI_Status *status)
{
    const enum ork_call_id id = ORK_CALL_MPI_Sendrecv_replace;
    int from = source, with = recvtag, size = 0;
    bool is_named = ork_force_envelope(ORK_CHOICE_RECEIVE, id, comm, &from, &with);
    void *copy = is_named ? pack(buf, count, datatype, comm, &size) : NULL;

    if (copy == NULL)
        return REAL(MPI_Sendrecv_replace)(buf, count, datatype, dest, sendtag, from, with, comm,
                                          status);
    int result = exchange(&(struct exchange){id, copy, size, MPI_PACKED, dest, sendtag, buf, count,
                                             datatype, source, recvtag, comm, status},
                          from, with);
    free(copy);
    return result;
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
    if (!ork_force_name(c, *comm, source, tag)) {
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
        return REAL(MPI_Irecv)(NULL, 0, MPI_BYTE, 0, 0, ork_silent, request);
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

static int imposed_MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
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

static int imposed_MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag,
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

static int imposed_MPI_Start(MPI_Request *request)
{
    uint64_t ahead = 0;

    if (!ork_force_is_on(ORK_CALL_MPI_Start))
        return REAL(MPI_Start)(request);
    return start_one(ORK_CALL_MPI_Start, request, &ahead);
}

static int imposed_MPI_Startall(int count, MPI_Request request[])
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
    ORK_IMPOSE(MPI_Recv);
    ORK_IMPOSE(MPI_Sendrecv);
    ORK_IMPOSE(MPI_Sendrecv_replace);
    ORK_IMPOSE(MPI_Irecv);
    ORK_IMPOSE(MPI_Recv_init);
    ORK_IMPOSE(MPI_Start);
    ORK_IMPOSE(MPI_Startall);
}
