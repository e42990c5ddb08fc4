/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that failed and returned, under MPI_ERRORS_RETURN: what they had announced is taken back,
 * as far as nothing came of it. */
#include "detector/calls/call.h"
#include "detector/calls/rma.h"
#include "detector/coll/wave.h"
#include "detector/match/match.h"

/* Of a wait: an error of some member; every one counts as done. */
static void fail_wait(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        if (r != NULL && r->waiter == th)
            r->waiter = NULL;
    }
    th->open = 0;
    th->shared_needed = 0;
}

static void fail_send(struct mpi_thread *th)
{
    struct comm_ref *ref = ork_comm_ref(th->proc, th->call.comm);
    uint32_t dst;

    if (th->send != NULL)
        ork_match_withdraw(th->proc->d, th->send);
    else if (ref != NULL && th->call.tag >= 0 && ork_comm_peer(ref, th->call.peer, &dst))
        th->proc->d->proc[dst]->state_lost = true;
}

static void fail_recv(struct mpi_thread *th, int32_t source, int32_t tag)
{
    if (th->recv != NULL)
        ork_match_withdraw(th->proc->d, th->recv);
    else if (source != ORK_PROC_NULL && tag >= ORK_ANY_TAG)
        th->proc->state_lost = true;
}

/* The message was longer than the receive, and is taken all the same. */
static void truncate(struct mpi_thread *th)
{
    if (th->send != NULL)
        ork_match_detach(th->send);
    if (th->recv != NULL)
        ork_match_detach(th->recv);
}

static void fail_message(struct mpi_thread *th, bool is_truncated)
{
    const struct ork_record *rec = &th->call;

    if (th->unknown)
        return;
    if (is_truncated)
        truncate(th);
    if (!is_truncated && rec->kind != ORK_KIND_RECV)
        fail_send(th);
    if (!is_truncated && rec->kind == ORK_KIND_RECV)
        fail_recv(th, rec->peer, rec->tag);
    if (!is_truncated && rec->kind == ORK_KIND_SENDRECV)
        fail_recv(th, rec->peer2, rec->tag2);
    th->recv = th->send = NULL;
}

/* MPI_Start and MPI_Startall: none of the requests is active. */
static void fail_start(struct mpi_thread *th)
{
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(th->proc, th->list[i]);
        struct op *op = r == NULL ? NULL : r->op;
        if (op != NULL) {
            r->op = NULL;
            r->active = false;
            ork_match_withdraw(th->proc->d, op);
        }
    }
}

/* An error of the arguments: the call was not made. Any other: it was, for others may have gone on
 * with what it did before it failed. */
static void fail_coll(struct mpi_thread *th, bool was_made)
{
    struct request *r =
        (th->call.flags & ORK_F_NONBLOCKING) ? ork_request_find(th->proc, th->call.request) : NULL;

    if (th->unsure == NULL)
        return;
    if (was_made) {
        ork_wave_confirm(th);
        return;
    }
    if (r != NULL && r->wave == th->unsure)
        ork_wave_unlink_request(r);
    th->made_on = MADE_ON_UNKNOWN;
    ork_wave_retract(th);
}

/* The call failed: nothing came of it. */
void ork_fail_inside(struct mpi_thread *th, const struct ork_record *rec)
{
    switch ((int)th->call.kind) {
    case ORK_KIND_WAIT:
        fail_wait(th);
        return;
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        if ((th->call.flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) == 0)
            fail_message(th, (rec->flags & ORK_F_MATCHED) != 0);
        break;
    case ORK_KIND_START:
        fail_start(th);
        break;
    case ORK_KIND_COLL:
        fail_coll(th, (rec->flags & ORK_F_MATCHED) != 0);
        break;
    case ORK_KIND_PROBE:
        th->unknown = true;
        break;
    case ORK_KIND_WIN_POST:
    case ORK_KIND_WIN_START:
    case ORK_KIND_WIN_LOCK:
        ork_rma_undo(th);
        break;
    default:
        break;
    }
    if (th->wave != NULL)
        ork_wave_unlink_waiter(th);
    th->open = 0;
}

void ork_fail_after(struct mpi_thread *th, const struct ork_record *rec)
{
    bool is_latest = rec->call == th->call.call && rec->site == th->call.site;

    if (is_latest && th->call.kind != ORK_KIND_WAIT && th->call.kind != ORK_KIND_PROBE)
        ork_fail_inside(th, rec);
}
