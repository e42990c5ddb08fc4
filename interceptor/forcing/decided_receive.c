/* SPDX-License-Identifier: BSD-3-Clause */
/* Sends, receives and probes, MPI-3.1 chapter 3. While receives are deferred, no call may block
 * inside the library: it would not see the decisions. */
#include "common/vec.h"
#include "interceptor/objects/context.h"
#include "interceptor/forcing/decided.h"
#include "interceptor/mpi/next.h"

#include <stdlib.h>

/* Does the arbiter know the messages of this communicator? */
static bool is_known(MPI_Comm comm)
{
    ork_lock();
    bool known = ork_context_of(ork_comm_id(comm)) != 0;
    ork_unlock();
    return known;
}

/* May the library receive or probe for this? Invalid arguments are its own affair. */
static bool is_ours(enum ork_call_id id, int count, MPI_Datatype datatype, int source, int tag,
                    MPI_Comm comm)
{
    return ork_is_decided(id) && source != MPI_PROC_NULL && !ork_is_void(count, datatype) &&
           (tag >= 0 || tag == MPI_ANY_TAG) && is_known(comm);
}

/* ---- sends ---- */

static bool is_deferring(enum ork_call_id id, int dest)
{
    return ork_is_decided(id) && dest != MPI_PROC_NULL && ork_deferred_any_waiting();
}

static int imposed_MPI_Send(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                            MPI_Comm comm)
{
    MPI_Request request;

    if (!is_deferring(ORK_CALL_MPI_Send, dest))
        return REAL(MPI_Send)(buf, count, datatype, dest, tag, comm);
    int result = ORK_NEXT(MPI_Isend)(buf, count, datatype, dest, tag, comm, &request);
    return result == MPI_SUCCESS ? ork_decided_finish(&request, MPI_STATUS_IGNORE) : result;
}

static int imposed_MPI_Ssend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                             MPI_Comm comm)
{
    MPI_Request request;

    if (!is_deferring(ORK_CALL_MPI_Ssend, dest))
        return REAL(MPI_Ssend)(buf, count, datatype, dest, tag, comm);
    int result = ORK_NEXT(MPI_Issend)(buf, count, datatype, dest, tag, comm, &request);
    return result == MPI_SUCCESS ? ork_decided_finish(&request, MPI_STATUS_IGNORE) : result;
}

static int imposed_MPI_Rsend(const void *buf, int count, MPI_Datatype datatype, int dest, int tag,
                             MPI_Comm comm)
{
    MPI_Request request;

    if (!is_deferring(ORK_CALL_MPI_Rsend, dest))
        return REAL(MPI_Rsend)(buf, count, datatype, dest, tag, comm);
    int result = ORK_NEXT(MPI_Irsend)(buf, count, datatype, dest, tag, comm, &request);
    return result == MPI_SUCCESS ? ork_decided_finish(&request, MPI_STATUS_IGNORE) : result;
}

/* ---- blocking receives ---- */

/* A named receive that could take the message of a deferred one waits for its decision. */
static void wait_for_earlier(MPI_Comm comm, int source, int tag)
{
    struct ork_decision_wait w;

    if (!ork_deferred_overlaps(comm, source, tag))
        return;
    ork_decisions_wait_begin(&w);
    while (ork_deferred_overlaps(comm, source, tag) && ork_decided_look(&w)) {
        /* look again */
    }
    ork_decisions_wait_end();
}

/* Source and tag of the message that the receive has to take. RATIONALE: the library then takes the
 * first one of that source and tag, which is the decided one. */
static void decide(int *source, int *tag, MPI_Comm comm)
{
    if (*source == MPI_ANY_SOURCE)
        ork_decided_await_source(source, tag);
    else
        wait_for_earlier(comm, *source, *tag);
}

static int imposed_MPI_Recv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
                            MPI_Comm comm, MPI_Status *status)
{
    MPI_Request request;

    if (!is_ours(ORK_CALL_MPI_Recv, count, datatype, source, tag, comm))
        return REAL(MPI_Recv)(buf, count, datatype, source, tag, comm, status);
    decide(&source, &tag, comm);
    if (!ork_deferred_any_waiting())
        return REAL(MPI_Recv)(buf, count, datatype, source, tag, comm, status);
    int result = REAL(MPI_Irecv)(buf, count, datatype, source, tag, comm, &request);
    return result == MPI_SUCCESS ? ork_decided_finish(&request, status) : result;
}

/* After the send was started. */
static int receive_and_finish(MPI_Request *send, const struct ork_receive *r, MPI_Status *status)
{
    int source = r->source, tag = r->tag;
    MPI_Request receive;

    decide(&source, &tag, r->comm);
    int result =
        REAL(MPI_Irecv)(r->buffer, r->count, r->datatype, source, tag, r->comm, &receive);
    int sent = ork_decided_finish(send, MPI_STATUS_IGNORE);
    if (result == MPI_SUCCESS)
        result = ork_decided_finish(&receive, status);
    return result == MPI_SUCCESS ? sent : result;
}

static bool is_plain(int source, int tag, MPI_Comm comm)
{
    return source != MPI_ANY_SOURCE && !ork_deferred_overlaps(comm, source, tag) &&
           !ork_deferred_any_waiting();
}

static int imposed_MPI_Sendrecv(const void *sendbuf, int sendcount, MPI_Datatype sendtype, int dest,
                                int sendtag, void *recvbuf, int recvcount, MPI_Datatype recvtype,
                                int source, int recvtag, MPI_Comm comm, MPI_Status *status)
{
    const struct ork_receive r = {recvbuf, recvcount, recvtype, source, recvtag, comm};
    MPI_Request send;

    if (!is_ours(ORK_CALL_MPI_Sendrecv, recvcount, recvtype, source, recvtag, comm) ||
        sendtag < 0 || ork_is_void(sendcount, sendtype) || is_plain(source, recvtag, comm))
        return REAL(MPI_Sendrecv)(sendbuf, sendcount, sendtype, dest, sendtag, recvbuf,
                                      recvcount, recvtype, source, recvtag, comm, status);
    int result = ORK_NEXT(MPI_Isend)(sendbuf, sendcount, sendtype, dest, sendtag, comm, &send);
    return result == MPI_SUCCESS ? receive_and_finish(&send, &r, status) : result;
}

/* RATIONALE: the buffer is sent from a packed copy, because the receive overwrites it. */
static int replace(const struct ork_receive *r, int dest, int sendtag, MPI_Status *status)
{
    int size = 0, position = 0;
    MPI_Request send;
    int result = ORK_NEXT(MPI_Pack_size)(r->count, r->datatype, r->comm, &size);
    int saved = errno;
    void *copy = result == MPI_SUCCESS ? malloc((size_t)size + 1) : NULL;

    errno = saved;
    if (copy == NULL)
        return result != MPI_SUCCESS ? result : MPI_ERR_NO_MEM;
    result = ORK_NEXT(MPI_Pack)(r->buffer, r->count, r->datatype, copy, size, &position, r->comm);
    if (result == MPI_SUCCESS)
        result = ORK_NEXT(MPI_Isend)(copy, position, MPI_PACKED, dest, sendtag, r->comm, &send);
    if (result == MPI_SUCCESS)
        result = receive_and_finish(&send, r, status);
    free(copy);
    return result;
}

static int imposed_MPI_Sendrecv_replace(void *buf, int count, MPI_Datatype datatype, int dest,
                                        int sendtag, int source, int recvtag, MPI_Comm comm,
                                        MPI_Status *status)
{
    const struct ork_receive r = {buf, count, datatype, source, recvtag, comm};

    if (!is_ours(ORK_CALL_MPI_Sendrecv_replace, count, datatype, source, recvtag, comm) ||
        sendtag < 0 || is_plain(source, recvtag, comm))
        return REAL(MPI_Sendrecv_replace)(buf, count, datatype, dest, sendtag, source, recvtag,
                                              comm, status);
    return replace(&r, dest, sendtag, status);
}

/* ---- nonblocking and persistent receives ---- */

static int imposed_MPI_Irecv(void *buf, int count, MPI_Datatype datatype, int source, int tag,
                             MPI_Comm comm, MPI_Request *request)
{
    const struct ork_receive r = {buf, count, datatype, source, tag, comm};

    if (!is_ours(ORK_CALL_MPI_Irecv, count, datatype, source, tag, comm) ||
        (source != MPI_ANY_SOURCE && !ork_deferred_overlaps(comm, source, tag)))
        return REAL(MPI_Irecv)(buf, count, datatype, source, tag, comm, request);
    return ork_deferred_add(&r, request);
}

/* Persistent receives. RATIONALE: a program has few of them. */
static struct persistent {
    MPI_Request handle;
    struct ork_receive receive;
} * persistent;
static uint32_t num_persistent, room;

static struct persistent *find(MPI_Request handle)
{
    for (uint32_t i = 0; i < num_persistent && handle != MPI_REQUEST_NULL; i++) {
        if (persistent[i].handle == handle)
            return &persistent[i];
    }
    return NULL;
}

static int imposed_MPI_Recv_init(void *buf, int count, MPI_Datatype datatype, int source, int tag,
                                 MPI_Comm comm, MPI_Request *request)
{
    bool ours = is_ours(ORK_CALL_MPI_Recv_init, count, datatype, source, tag, comm);
    int result = REAL(MPI_Recv_init)(buf, count, datatype, source, tag, comm, request);
    int saved = errno;

    if (ours && result == MPI_SUCCESS &&
        ork_vec_reserve(&persistent, &room, num_persistent + 1, sizeof(*persistent)))
        persistent[num_persistent++] =
            (struct persistent){*request, {buf, count, datatype, source, tag, comm}};
    errno = saved;
    return result;
}

static int start(MPI_Request *request)
{
    const struct persistent *p = find(*request);

    if (p == NULL || (p->receive.source != MPI_ANY_SOURCE &&
                      !ork_deferred_overlaps(p->receive.comm, p->receive.source, p->receive.tag)))
        return REAL(MPI_Start)(request);
    return ork_deferred_start(&p->receive, *request);
}

static int imposed_MPI_Start(MPI_Request *request)
{
    return ork_is_decided(ORK_CALL_MPI_Start) ? start(request) : REAL(MPI_Start)(request);
}

static int imposed_MPI_Startall(int count, MPI_Request request[])
{
    int result = MPI_SUCCESS;

    if (!ork_is_decided(ORK_CALL_MPI_Startall) || num_persistent == 0)
        return REAL(MPI_Startall)(count, request);
    for (int i = 0; i < count && result == MPI_SUCCESS; i++)
        result = start(&request[i]);
    return result;
}

static int imposed_MPI_Request_free(MPI_Request *request)
{
    if (!ork_is_decided(ORK_CALL_MPI_Request_free))
        return REAL(MPI_Request_free)(request);
    ork_deferred_free(*request);
    struct persistent *p = find(*request);
    if (p != NULL)
        *p = persistent[--num_persistent];
    return REAL(MPI_Request_free)(request);
}

/* RATIONALE: the library needs the communicator to post the receives. */
static int imposed_MPI_Comm_free(MPI_Comm *comm)
{
    if (ork_is_decided(ORK_CALL_MPI_Comm_free)) {
        ork_decided_settle();
        ork_deferred_give_comm(*comm);
    }
    return REAL(MPI_Comm_free)(comm);
}

/* ---- probes ---- */

static struct ork_question probe(enum ork_ask ask, int source, int tag, MPI_Comm comm, bool matched)
{
    return (struct ork_question){
        .ask = ask, .comm = comm, .source = source, .tag = tag, .is_matched = matched};
}

/* A probe whose outcome needs no decision, and which may block. */
static bool is_plain_probe(enum ork_call_id id, int source, int tag, MPI_Comm comm)
{
    return !is_ours(id, 0, MPI_BYTE, source, tag, comm) || is_plain(source, tag, comm);
}

static void decide_probe(int *source, int *tag, MPI_Comm comm, bool matched)
{
    const struct ork_question q = probe(ORK_ASK_PROBE, *source, *tag, comm, matched);
    const struct ork_decision *d = ork_decided_await(&q);

    if (d == NULL)
        return;
    *source = d->source;
    *tag = d->tag;
}

static int imposed_MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status)
{
    if (!is_plain_probe(ORK_CALL_MPI_Probe, source, tag, comm))
        decide_probe(&source, &tag, comm, false);
    return REAL(MPI_Probe)(source, tag, comm, status);
}

static int imposed_MPI_Mprobe(int source, int tag, MPI_Comm comm, MPI_Message *message,
                              MPI_Status *status)
{
    if (!is_plain_probe(ORK_CALL_MPI_Mprobe, source, tag, comm))
        decide_probe(&source, &tag, comm, true);
    return REAL(MPI_Mprobe)(source, tag, comm, message, status);
}

enum poll { POLL_FREE, POLL_FAILS, POLL_SUCCEEDS };

/* POLL_SUCCEEDS: the message has this source and tag, and has been sent. */
static enum poll poll_probe(enum ork_call_id id, int *source, int *tag, MPI_Comm comm, bool matched)
{
    if (!is_ours(id, 0, MPI_BYTE, *source, *tag, comm))
        return POLL_FREE;
    if (ork_decided_poll_fails(id))
        return POLL_FAILS;
    const struct ork_question q = probe(ORK_ASK_TEST_PROBE, *source, *tag, comm, matched);
    const struct ork_decision *d = ork_decided_await(&q);
    if (d == NULL)
        return POLL_FREE;
    if (d->decided != ORK_DECIDED_PROBE)
        return POLL_FAILS;
    ork_decided_poll_succeeded();
    *source = d->source;
    *tag = d->tag;
    return POLL_SUCCEEDS;
}

static int imposed_MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status)
{
    enum poll poll = poll_probe(ORK_CALL_MPI_Iprobe, &source, &tag, comm, false);

    if (poll == POLL_FREE)
        return REAL(MPI_Iprobe)(source, tag, comm, flag, status);
    *flag = poll == POLL_SUCCEEDS;
    return *flag ? REAL(MPI_Probe)(source, tag, comm, status) : MPI_SUCCESS;
}

static int imposed_MPI_Improbe(int source, int tag, MPI_Comm comm, int *flag, MPI_Message *message,
                               MPI_Status *status)
{
    enum poll poll = poll_probe(ORK_CALL_MPI_Improbe, &source, &tag, comm, true);

    if (poll == POLL_FREE)
        return REAL(MPI_Improbe)(source, tag, comm, flag, message, status);
    *flag = poll == POLL_SUCCEEDS;
    return *flag ? REAL(MPI_Mprobe)(source, tag, comm, message, status) : MPI_SUCCESS;
}

void ork_decided_receive_init(void)
{
    ORK_IMPOSE(MPI_Send);
    ORK_IMPOSE(MPI_Ssend);
    ORK_IMPOSE(MPI_Rsend);
    ORK_IMPOSE(MPI_Recv);
    ORK_IMPOSE(MPI_Sendrecv);
    ORK_IMPOSE(MPI_Sendrecv_replace);
    ORK_IMPOSE(MPI_Irecv);
    ORK_IMPOSE(MPI_Recv_init);
    ORK_IMPOSE(MPI_Start);
    ORK_IMPOSE(MPI_Startall);
    ORK_IMPOSE(MPI_Request_free);
    ORK_IMPOSE(MPI_Comm_free);
    ORK_IMPOSE(MPI_Probe);
    ORK_IMPOSE(MPI_Mprobe);
    ORK_IMPOSE(MPI_Iprobe);
    ORK_IMPOSE(MPI_Improbe);
}
