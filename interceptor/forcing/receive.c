/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives, MPI-3.1 chapter 3. In a deterministic run no call may block inside the library while
 * receives are deferred: it would not see the decisions. */
#include "interceptor/forcing/impose.h"
#include "interceptor/forcing/backlog.h"
#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/persistent.h"
#include "interceptor/forcing/posts.h"
#include "interceptor/forcing/told.h"
#include "interceptor/forcing/wait.h"
#include "interceptor/outcomes/choice.h"

#include <errno.h>
#include <stdlib.h>

/* ---- our own requests ---- */

/* Test it until it is complete, or the call fails. False: it is not waited for any more. RATIONALE:
 * a receive that is posted, and tested, costs less than a probe and a receive. */
static __attribute__((noinline)) bool await_later(enum ork_call_id id, MPI_Request *request,
                                                  MPI_Status *status, int *result)
{
    struct ork_wait w;
    int flag = 0;

    ork_wait_begin(&w, id, false);
    while (*result == MPI_SUCCESS && !flag && ork_wait_again(&w))
        *result = REAL(MPI_Test)(request, &flag, status);
    ork_wait_end(&w);
    return flag || *result != MPI_SUCCESS;
}

static inline bool await(enum ork_call_id id, MPI_Request *request, MPI_Status *status, int *result)
{
    int flag = 0;

    *result = REAL(MPI_Test)(request, &flag, status);
    return ORK_LIKELY(flag) || await_later(id, request, status, result);
}

int ork_await_send(enum ork_call_id id, MPI_Request *request)
{
    int result;

    if (ork_run_is_decided && await(id, request, MPI_STATUS_IGNORE, &result))
        return result;
    return REAL(MPI_Wait)(request, MPI_STATUS_IGNORE);
}

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

/* The same for a receive. False: its message does not come, the rank has diverged, and nothing is
 * posted any more. */
static inline bool finish_receive(enum ork_call_id id, MPI_Request *request, MPI_Status *status,
                                  int *result)
{
    if (ORK_LIKELY(await(id, request, status, result)))
        return true;
    if (ork_run_is_decided) {
        *result = REAL(MPI_Wait)(request, status);
        return true;
    }
    if (!give_up(request, status, result))
        return true;
    ork_ordered_diverge(ORK_DIVERGED_OUTCOME, id);
    ork_posts_let_go();
    return false;
}

/* ---- receives without a request ---- */

/* Name source and tag of the message that the call takes. True: the receive is posted, and tested,
 * because it must not block in the library. */
static inline bool is_posted(enum ork_call_id id, struct ork_receive *r)
{
    if (!ork_is_imposed(id))
        return false;
    ork_backlog_posted(r->comm);
    return ork_run_is_decided
               ? ork_decided_receive(r)
               : ork_ordered_envelope(ORK_CHOICE_RECEIVE, id, r->comm, &r->source, &r->tag);
}

static int imposed_MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
                            MPI_Comm comm, MPI_Status *status)
{
    struct ork_receive r = {buf, count, datatype, source, tag, comm};
    MPI_Request request;

    if (!is_posted(ORK_CALL_MPI_Recv, &r))
        return REAL(MPI_Recv)(buf, count, datatype, r.source, r.tag, comm, status);
    int result = REAL(MPI_Irecv)(buf, count, datatype, r.source, r.tag, comm, &request);
    if (result != MPI_SUCCESS || finish_receive(ORK_CALL_MPI_Recv, &request, status, &result))
        return result;
    return REAL(MPI_Recv)(buf, count, datatype, source, tag, comm, status);
}

/* A call that sends a message and receives another one. */
struct exchange {
    enum ork_call_id id;
    const void *buffer; /* of the send */
    int count;
    MPI_Datatype datatype;
    int dest, tag;
    MPI_Status *status;
};

/* RATIONALE: the source is only decided when the send has been started. */
static bool is_exchanged_by_decision(const struct exchange *x, const struct ork_receive *r)
{
    bool is_followed = x->tag >= 0 && !ork_is_void(x->count, x->datatype);
    struct ork_receive named = *r;

    if (is_followed && ork_decided_concerns(r))
        return true;
    ork_told_sent(r->comm, x->dest);
    if (is_followed && ork_decided_knows(r))
        ork_told_receive(&named); /* the library finds its message */
    else if (r->source != MPI_PROC_NULL)
        ork_told_drop();
    return false;
}

/* Is the call made of two? *named is then its receive. */
static bool is_exchanged(const struct exchange *x, struct ork_receive *named)
{
    if (!ork_is_imposed(x->id))
        return false;
    ork_backlog_posted(named->comm);
    if (ork_run_is_decided)
        return is_exchanged_by_decision(x, named);
    return ork_ordered_envelope(ORK_CHOICE_RECEIVE, x->id, named->comm, &named->source,
                                &named->tag);
}

/* RATIONALE: the send is started first, because the message that comes may be an answer to it. */
static int exchange(const struct exchange *x, const struct ork_receive *r,
                    struct ork_receive *named)
{
    MPI_Request send, receive;
    int result =
        ORK_NEXT(MPI_Isend)(x->buffer, x->count, x->datatype, x->dest, x->tag, r->comm, &send);

    if (result != MPI_SUCCESS)
        return result;
    if (ork_run_is_decided) {
        ork_told_sent(r->comm, x->dest);
        ork_decided_receive(named);
    }
    result = REAL(MPI_Irecv)(r->buffer, r->count, r->datatype, named->source, named->tag, r->comm,
                             &receive);
    int sent = ork_await_send(x->id, &send);
    if (result != MPI_SUCCESS)
        return result;
    if (sent != MPI_SUCCESS) {
        give_up(&receive, x->status, &result);
        return sent;
    }
    if (finish_receive(x->id, &receive, x->status, &result))
        return result;
    return REAL(MPI_Recv)(r->buffer, r->count, r->datatype, r->source, r->tag, r->comm, x->status);
}

static int imposed_MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
                                int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    const struct exchange x = {
        ORK_CALL_MPI_Sendrecv, sendbuf, sendcount, sendtype, dest, sendtag, status};
    const struct ork_receive r = {recvbuf, recvcount, recvtype, source, recvtag, comm};
    struct ork_receive named = r;

    if (is_exchanged(&x, &named))
        return exchange(&x, &r, &named);
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

/* RATIONALE: the receive overwrites what is sent, so that is copied. Without memory for the copy,
 * the library makes the exchange: it cannot be released. */
static int imposed_MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest,
                                        int sendtag, int source, int recvtag, MPI_Comm comm,
                                        MPI_Status *status)
{
    struct exchange x = {
        ORK_CALL_MPI_Sendrecv_replace, buf, count, datatype, dest, sendtag, status};
    const struct ork_receive r = {buf, count, datatype, source, recvtag, comm};
    struct ork_receive named = r;
    void *copy = is_exchanged(&x, &named) ? pack(buf, count, datatype, comm, &x.count) : NULL;

    if (copy == NULL)
        return REAL(MPI_Sendrecv_replace)(buf, count, datatype, dest, sendtag, named.source,
                                          named.tag, comm, status);
    x.buffer = copy;
    x.datatype = MPI_PACKED;
    int result = exchange(&x, &r, &named);
    free(copy);
    return result;
}

/* ---- nonblocking and persistent receives: their outcome is known when they are posted ---- */

/* In a deterministic run: is it deferred until its source has been decided, or that of an earlier
 * one that could take the same message? */
static bool is_deferred(const struct ork_receive *r)
{
    return ork_decisions_are_on() &&
           (r->source == MPI_ANY_SOURCE || ork_deferred_overlaps(r->comm, r->source, r->tag));
}

/* The receive that the calling thread posts now, with its recorded source; MPI_COMM_NULL as the
 * communicator: it has to stay incomplete, because it was cancelled. False: it is free. */
static bool name_post(enum ork_call_id id, struct ork_receive *r)
{
    ork_lock();
    const struct ork_choice *c =
        ork_replay_outcome(ORK_CHOICE_RECEIVE, ork_thread.ordinal, ork_thread.posts + 1);
    ork_unlock();
    if (c == NULL)
        return false;
    if (c->source == ORK_CANCELLED) {
        r->comm = MPI_COMM_NULL;
        return true;
    }
    if (!ork_ordered_name(c, r->comm, &r->source, &r->tag)) {
        ork_ordered_diverge(ORK_DIVERGED_OUTCOME, id);
        return false;
    }
    return true;
}

/* MPI_COMM_NULL: a receive that stays incomplete. */
static int post(const struct ork_receive *r, MPI_Request *request)
{
    if (r->comm == MPI_COMM_NULL)
        return REAL(MPI_Irecv)(NULL, 0, MPI_BYTE, 0, 0, ork_silent, request);
    return REAL(MPI_Irecv)(r->buffer, r->count, r->datatype, r->source, r->tag, r->comm, request);
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
    struct ork_receive r = {buf, count, datatype, source, tag, comm};

    if (!ork_is_imposed(ORK_CALL_MPI_Irecv) || comm == MPI_COMM_NULL)
        return REAL(MPI_Irecv)(buf, count, datatype, source, tag, comm, request);
    ork_backlog_posted(comm);
    if (ork_run_is_decided && ork_decided_knows(&r)) {
        if (ork_told_post(&r))
            ork_deferred_number();
        if (is_deferred(&r))
            return ork_deferred_add(&r, request);
    }
    if (ork_replay_is_on() && ork_is_wildcard(source, tag))
        name_post(ORK_CALL_MPI_Irecv, &r);
    else if (ork_replay_is_on() && is_cancelled_later())
        r.comm = MPI_COMM_NULL;
    return post(&r, request);
}

static int imposed_MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag,
                                 MPI_Comm comm, MPI_Request *request)
{
    const struct ork_receive r = {buf, count, datatype, source, tag, comm};
    bool is_ours = ork_is_imposed(ORK_CALL_MPI_Recv_init) &&
                   (ork_run_is_decided ? ork_decided_knows(&r)
                                       : ork_replay_is_on() && ork_is_wildcard(source, tag));
    int result = REAL(MPI_Recv_init)(buf, count, datatype, source, tag, comm, request);

    if (is_ours && result == MPI_SUCCESS)
        ork_persistent_add(*request, &r);
    return result;
}

/* RATIONALE: the source of a persistent request cannot be changed, so the library has another one.
 */
static int start_named(const struct ork_receive *named, MPI_Request request)
{
    MPI_Request stand_in;
    int result = post(named, &stand_in);

    if (result == MPI_SUCCESS)
        ork_stand_in_add(request, stand_in, ORK_STAND_IN_KEEP);
    return result;
}

/* The same of a deterministic run. */
static int start_decided(const struct ork_receive *receive, MPI_Request *request)
{
    struct ork_receive r = *receive;
    bool is_told = ork_decisions_are_on() && ork_told_post(&r);
    int result;

    if (is_told)
        ork_deferred_number();
    if (is_deferred(&r))
        result = ork_deferred_start(&r, *request);
    else
        result = is_told ? start_named(&r, *request) : REAL(MPI_Start)(request);
    if (ork_decisions_are_on())
        ork_told_started(*request, result);
    return result;
}

/* Start one request of a call. `ahead`: wildcard receives that the call has started before. */
static int start_one(enum ork_call_id id, MPI_Request *request, uint64_t *ahead)
{
    struct ork_persistent p;

    if (*request == MPI_REQUEST_NULL || !ork_persistent_find(*request, &p))
        return REAL(MPI_Start)(request);
    ork_backlog_posted(p.receive.comm);
    if (ork_run_is_decided)
        return start_decided(&p.receive, request);
    uint64_t posts = ork_thread.posts;
    ork_thread.posts += (*ahead)++;
    bool named = ork_replay_is_on() && name_post(id, &p.receive);
    ork_thread.posts = posts;
    return named ? start_named(&p.receive, *request) : REAL(MPI_Start)(request);
}

static int imposed_MPI_Start(MPI_Request *request)
{
    uint64_t ahead = 0;

    if (!ork_is_imposed(ORK_CALL_MPI_Start))
        return REAL(MPI_Start)(request);
    return start_one(ORK_CALL_MPI_Start, request, &ahead);
}

static int imposed_MPI_Startall(int count, MPI_Request request[])
{
    uint64_t ahead = 0;
    int result = MPI_SUCCESS;

    if (!ork_is_imposed(ORK_CALL_MPI_Startall) || !ork_persistent_any())
        return REAL(MPI_Startall)(count, request);
    for (int i = 0; i < count && result == MPI_SUCCESS; i++)
        result = start_one(ORK_CALL_MPI_Startall, &request[i], &ahead);
    return result;
}

void ork_impose_receives(void)
{
    ORK_IMPOSE(MPI_Recv);
    ORK_IMPOSE(MPI_Sendrecv);
    ORK_IMPOSE(MPI_Sendrecv_replace);
    ORK_IMPOSE(MPI_Irecv);
    ORK_IMPOSE(MPI_Recv_init);
    ORK_IMPOSE(MPI_Start);
    ORK_IMPOSE(MPI_Startall);
}
