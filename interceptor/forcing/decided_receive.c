/* SPDX-License-Identifier: BSD-3-Clause */
/* Probes, and requests and communicators that are freed. */
#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/force_requests.h"

static int imposed_MPI_Request_free(MPI_Request *request)
{
    if (!ork_is_decided(ORK_CALL_MPI_Request_free))
        return REAL(MPI_Request_free)(request);
    ork_deferred_free(*request);
    ork_persistent_remove(*request);
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
    const struct ork_receive r = {NULL, 0, MPI_BYTE, source, tag, comm};

    return !ork_is_imposed(id) || !ork_decided_concerns(&r);
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
    const struct ork_receive r = {NULL, 0, MPI_BYTE, *source, *tag, comm};

    if (!ork_is_imposed(id) || !ork_decided_knows(&r))
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
    ORK_IMPOSE(MPI_Request_free);
    ORK_IMPOSE(MPI_Comm_free);
    ORK_IMPOSE(MPI_Probe);
    ORK_IMPOSE(MPI_Mprobe);
    ORK_IMPOSE(MPI_Iprobe);
    ORK_IMPOSE(MPI_Improbe);
}
