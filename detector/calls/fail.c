/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that failed and returned, under MPI_ERRORS_RETURN: what they had announced is taken back,
 * as far as nothing came of it. */
#include "detector/calls/call.h"
#include "detector/calls/rma.h"
#include "detector/coll/wave.h"
#include "detector/match/match.h"

/* Of a wait: an error of some member; every one counts as done. */
static void fail_wait(struct strand *st)
{
    for (uint32_t i = 0; i < st->call.count; i++) {
        struct request *r = ork_request_find(st->proc, st->list[i]);
        if (r != NULL && r->waiter == st)
            r->waiter = NULL;
    }
    st->open = 0;
    st->bag_need = 0;
}

static void fail_send(struct strand *st)
{
    struct comm_ref *ref = ork_comm_ref(st->proc, st->call.comm);
    uint32_t dst;

    if (st->send != NULL)
        ork_match_withdraw(st->proc->d, st->send);
    else if (ref != NULL && st->call.tag >= 0 && ork_comm_peer(ref, st->call.peer, &dst))
        st->proc->d->proc[dst]->misled = true;
}

static void fail_recv(struct strand *st, int32_t source, int32_t tag)
{
    if (st->recv != NULL)
        ork_match_withdraw(st->proc->d, st->recv);
    else if (source != ORK_PROC_NULL && tag >= ORK_ANY_TAG)
        st->proc->misled = true;
}

/* The message was longer than the receive, and is taken all the same. */
static void truncate(struct strand *st)
{
    if (st->send != NULL)
        ork_match_detach(st->send);
    if (st->recv != NULL)
        ork_match_detach(st->recv);
}

static void fail_message(struct strand *st, bool is_truncated)
{
    const struct ork_record *rec = &st->call;

    if (st->unknown)
        return;
    if (is_truncated)
        truncate(st);
    if (!is_truncated && rec->kind != ORK_KIND_RECV)
        fail_send(st);
    if (!is_truncated && rec->kind == ORK_KIND_RECV)
        fail_recv(st, rec->peer, rec->tag);
    if (!is_truncated && rec->kind == ORK_KIND_SENDRECV)
        fail_recv(st, rec->peer2, rec->tag2);
    st->recv = st->send = NULL;
}

/* MPI_Start and MPI_Startall: none of the requests is active. */
static void fail_start(struct strand *st)
{
    for (uint32_t i = 0; i < st->call.count; i++) {
        struct request *r = ork_request_find(st->proc, st->list[i]);
        struct op *op = r == NULL ? NULL : r->op;
        if (op != NULL) {
            r->op = NULL;
            r->active = false;
            ork_match_withdraw(st->proc->d, op);
        }
    }
}

/* An error of the arguments: the call was not made. Any other: it was, for others may have gone on
 * with what it did before it failed. */
static void fail_coll(struct strand *st, bool was_made)
{
    struct request *r =
        (st->call.flags & ORK_F_NONBLOCKING) ? ork_request_find(st->proc, st->call.request) : NULL;

    if (st->unsure == NULL)
        return;
    if (was_made) {
        ork_wave_confirm(st);
        return;
    }
    if (r != NULL && r->wave == st->unsure)
        ork_wave_unlink_request(r);
    st->made_on = MADE_ON_UNKNOWN;
    ork_wave_retract(st);
}

/* The call failed: nothing came of it. */
void ork_fail_inside(struct strand *st, const struct ork_record *rec)
{
    switch ((int)st->call.kind) {
    case ORK_KIND_WAIT:
        fail_wait(st);
        return;
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        if ((st->call.flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) == 0)
            fail_message(st, (rec->flags & ORK_F_MATCHED) != 0);
        break;
    case ORK_KIND_START:
        fail_start(st);
        break;
    case ORK_KIND_COLL:
        fail_coll(st, (rec->flags & ORK_F_MATCHED) != 0);
        break;
    case ORK_KIND_PROBE:
        st->unknown = true;
        break;
    case ORK_KIND_WIN_POST:
    case ORK_KIND_WIN_START:
    case ORK_KIND_WIN_LOCK:
        ork_rma_undo(st);
        break;
    default:
        break;
    }
    if (st->wave != NULL)
        ork_wave_unlink_waiter(st);
    st->open = 0;
}

void ork_fail_after(struct strand *st, const struct ork_record *rec)
{
    bool is_latest = rec->call == st->call.call && rec->site == st->call.site;

    if (is_latest && st->call.kind != ORK_KIND_WAIT && st->call.kind != ORK_KIND_PROBE)
        ork_fail_inside(st, rec);
}
