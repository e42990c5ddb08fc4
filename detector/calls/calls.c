/* SPDX-License-Identifier: BSD-3-Clause */
/* What each kind of record means: what a call posts, when strict semantics lets it return (MPI-3.1
 * chapters 3 and 5), and what its outcome tells. */
#include "detector/calls/call.h"
#include "detector/calls/call_parts.h"
#include "detector/calls/definition.h"
#include "detector/calls/request.h"
#include "detector/calls/rma.h"
#include "detector/check/knowledge.h"
#include "detector/coll/wave.h"
#include "detector/match/match.h"

static void enter_start(struct strand *st)
{
    for (uint32_t i = 0; i < st->call.count; i++) {
        struct request *r = ork_request_find(st->proc, st->list[i]);
        if (r == NULL || !r->persistent)
            continue;
        if (r->active)
            ork_request_consume(st, st->list[i], ORK_NO_PEER, ORK_ANY_TAG);
        struct ork_record again = r->call;
        again.site = st->call.site;
        if (again.kind == ORK_KIND_COLL)
            ork_call_start_coll(st, r, &again);
        else if (again.kind == ORK_KIND_SEND)
            ork_call_start_send(st, &again);
        else
            ork_call_start_recv(st, &again);
    }
}

static void enter_tested(struct strand *st)
{
    for (uint32_t i = 0; i + 2 < st->call.count; i += 3)
        ork_request_consume(st, st->list[i], (int32_t)st->list[i + 1], (int32_t)st->list[i + 2]);
    ork_knowledge_until_now(st->proc);
}

void ork_call_enter(struct strand *st)
{
    struct ork_record *rec = &st->call;

    switch ((enum ork_kind)rec->kind) {
    case ORK_KIND_SEND:
        ork_call_enter_send(st);
        break;
    case ORK_KIND_RECV:
        ork_call_enter_recv(st);
        break;
    case ORK_KIND_SENDRECV:
        ork_call_enter_sendrecv(st);
        break;
    case ORK_KIND_PROBE:
        ork_call_enter_probe(st);
        break;
    case ORK_KIND_PROBED:
        ork_call_enter_probed(st);
        break;
    case ORK_KIND_MRECV:
        ork_call_enter_mrecv(st);
        break;
    case ORK_KIND_START:
        enter_start(st);
        break;
    case ORK_KIND_WAIT:
        ork_wait_enter(st);
        break;
    case ORK_KIND_TESTED:
        enter_tested(st);
        break;
    case ORK_KIND_CANCEL:
        ork_request_cancel(st, rec->request);
        break;
    case ORK_KIND_REQUEST_FREE:
        ork_request_free(st, rec->request);
        break;
    case ORK_KIND_COLL:
        ork_call_enter_coll(st);
        break;
    case ORK_KIND_FINALIZE:
        ork_call_enter_finalize(st);
        break;
    case ORK_KIND_ABORT:
        st->proc->d->aborted = true;
        st->unknown = true;
        break;
    case ORK_KIND_OPAQUE:
        st->unknown = true;
        break;
    case ORK_KIND_BUFFER_DETACH:
        st->open = st->proc->buffered != NULL;
        break;
    case ORK_KIND_WIN_POST:
    case ORK_KIND_WIN_START:
    case ORK_KIND_WIN_COMPLETE:
    case ORK_KIND_WIN_WAIT:
    case ORK_KIND_WIN_TESTED:
    case ORK_KIND_WIN_LOCK:
    case ORK_KIND_WIN_UNLOCK:
        ork_rma_enter(st);
        break;
    case ORK_KIND_INIT:
        break;
    case ORK_KIND_CONT:
    case ORK_KIND_MODULE:
    case ORK_KIND_SITE:
    case ORK_KIND_JOB:
    case ORK_KIND_COMM_DEF:
    case ORK_KIND_COMM_NAME:
    case ORK_KIND_CONTROL:
    case ORK_KIND_THREAD_END:
    case ORK_KIND_EARLY:
    case ORK_KIND_EXIT:
    case ORK_KIND_MAX:
        ork_proc_fault(st->proc, "a record of an impossible kind");
        break;
    }
}

/* ---- leaving ---- */

static bool is_rma(const struct strand *st)
{
    return st->call.kind >= ORK_KIND_WIN_POST && st->call.kind <= ORK_KIND_WIN_UNLOCK;
}

bool ork_call_is_over(struct strand *st)
{
    if (st->proc->d->failed)
        return false;
    switch ((int)st->call.kind) {
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        return st->unknown ? ork_strand_has_moved(st) : st->open == 0;
    case ORK_KIND_PROBE:
        return ork_call_probe_is_over(st);
    case ORK_KIND_WAIT:
        return ork_wait_is_over(st);
    case ORK_KIND_COLL:
        return ork_call_coll_is_over(st);
    default:
        if (is_rma(st))
            return ork_rma_is_over(st);
        return st->unknown ? ork_strand_has_moved(st) : st->open == 0;
    }
}

void ork_call_leave(struct strand *st)
{
    switch ((int)st->call.kind) {
    case ORK_KIND_SEND:
    case ORK_KIND_RECV:
    case ORK_KIND_SENDRECV:
        break;
    case ORK_KIND_PROBE:
        st->proc->probing--;
        if ((st->call.flags & ORK_F_MATCHED) && !st->unknown && st->exited)
            ork_call_take_message(st, st->found_message, st->found_source, st->found_tag);
        ork_knowledge_until_now(st->proc);
        break;
    case ORK_KIND_WAIT:
        ork_wait_leave(st);
        break;
    case ORK_KIND_COLL:
        if (ork_call_destroys(st->call.mode))
            ork_comm_release(st->proc, st->call.comm, st->call.mode);
        if (st->unknown)
            ork_knowledge_until_now(st->proc);
        break;
    default:
        if (is_rma(st))
            ork_rma_leave(st);
        break;
    }
}

void ork_call_apply_exit(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    struct comm_ref *ref = ork_comm_ref(st->proc, st->call.comm);
    uint32_t src;

    (void)list; /* is st->outcome */
    st->outcome_count = rec->count;
    st->found_source = rec->peer;
    st->found_tag = rec->tag;
    st->found_message = rec->request;
    if (rec->flags & ORK_F_ERROR) {
        ork_fail_inside(st, rec);
        return;
    }
    if (st->call.kind == ORK_KIND_WAIT) {
        ork_wait_apply_exit(st);
    } else if (st->recv != NULL && ref != NULL && ork_comm_peer(ref, rec->peer, &src) &&
               rec->tag >= 0) {
        if (st->recv->q->src == ORK_ANY_SOURCE || st->recv->q->tag == ORK_ANY_TAG)
            ork_match_observe(st->proc->d, st->recv, (int32_t)src, rec->tag);
    }
}

void ork_call_confirm(struct strand *st)
{
    if (st->call.kind == ORK_KIND_WAIT)
        ork_wait_confirm(st);
    else if (st->call.kind == ORK_KIND_COLL)
        ork_wave_confirm(st);
    else if (st->recv != NULL)
        ork_match_confirm(st->proc->d, st->recv);
}

/* The run went past this call: let go of what only a strict reading waits for. */
bool ork_call_relax(struct strand *st)
{
    bool any = false;

    if (st->call.kind == ORK_KIND_WAIT)
        return ork_wait_relax(st);
    if (is_rma(st))
        return ork_rma_relax(st);
    if (st->call.kind == ORK_KIND_BUFFER_DETACH) {
        any = st->open > 0;
        st->open = 0;
        return any;
    }
    if (st->send != NULL) {
        ork_match_detach(st->send);
        st->send = NULL;
        st->open--;
        any = true;
    }
    if (st->wave != NULL) {
        ork_wave_unlink_waiter(st);
        st->open = 0;
        any = true;
    }
    return any;
}

/* The same for what it receives: when nothing else is left. */
bool ork_call_let_go(struct strand *st)
{
    if (st->call.kind == ORK_KIND_WAIT)
        return ork_wait_let_go(st);
    if (st->call.kind == ORK_KIND_PROBE) {
        st->unknown = true;
        return true;
    }
    if (st->recv == NULL)
        return false;
    ork_match_owe(st->recv);
    st->recv = NULL;
    st->open--;
    return true;
}

void ork_call_define(struct strand *st, const struct ork_record *rec, const uint32_t *list)
{
    if (rec->kind == ORK_KIND_COMM_DEF)
        ork_comm_define(st, rec, list);
    else if (rec->kind == ORK_KIND_CONTROL)
        st->proc->quiet = rec->arg == 0;
    else if (rec->kind == ORK_KIND_EARLY)
        ork_request_early(st, rec);
    else
        ork_comm_set_name(st->proc, rec, list);
}
