/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait-for conditions of calls. Parts that something known may complete count as satisfied. */
#include "detector/calls/rma.h"
#include "detector/match/match.h"
#include "detector/verdict/graph.h"
#include "detector/verdict/search.h"

/* ---- point-to-point ---- */

static struct comm_ref *ref_of(const struct proc *p, const struct comm *c)
{
    for (uint32_t i = 0; i < p->num_comms; i++) {
        if (p->comm[i].comm == c)
            return &p->comm[i];
    }
    return NULL;
}

static bool emit_op(struct builder *b, struct op *op, uint32_t label)
{
    struct proc *p = op == NULL ? NULL : op->thread->proc;
    bool by_any = false;

    if (op == NULL || op->cancelling ||
        (ork_match_is_possible(op) && !ork_match_is_forestalled(op, &by_any)))
        return ork_graph_emit_true(b);
    if (op->is_send)
        return b->permissive && op->mode != ORK_SEND_SYNCHRONOUS
                   ? ork_graph_emit_true(b)
                   : ork_graph_emit_atom(b, op->q->dst, label);
    if (op->peer != ORK_ANY_SOURCE && !by_any)
        return ork_graph_emit_atom(b, (uint32_t)op->q->src, label);
    struct comm *c = b->d->comm[op->comm];
    struct comm_ref *ref = c == NULL ? NULL : ref_of(p, c);
    return ref == NULL ? ork_graph_emit_true(b) : ork_graph_emit_any(b, c, ref->me, label);
}

static bool emit_probe(struct builder *b, struct mpi_thread *th)
{
    struct proc *p = th->proc;
    struct comm_ref *ref = ork_comm_ref(p, th->call.comm);
    uint32_t src = 0;

    if (th->unknown || ref == NULL || th->call.peer == ORK_PROC_NULL)
        return ork_graph_emit_true(b);
    bool any = th->call.peer == ORK_ANY_SOURCE;
    if (!any && !ork_comm_peer(ref, th->call.peer, &src))
        return ork_graph_emit_true(b);
    if (ork_match_probe(b->d, ref->comm, p->rank, any ? ORK_ANY_SOURCE : (int32_t)src,
                        th->call.tag) != PRESENCE_NONE)
        return ork_graph_emit_true(b);
    return any ? ork_graph_emit_any(b, ref->comm, ref->me, 0) : ork_graph_emit_atom(b, src, 0);
}

static bool emit_sendrecv(struct builder *b, struct mpi_thread *th)
{
    const struct ork_record *call = &th->call;
    const struct comm_ref *ref = ork_comm_ref(th->proc, call->comm);
    struct ork_term send = {.rank = th->proc->rank,
                            .index = UINT32_MAX,
                            .call = call->call,
                            .kind = ORK_KIND_SEND,
                            .comm = ref != NULL ? ref->comm->id : ORK_COMM_UNKNOWN,
                            .site = call->site,
                            .peer = call->peer,
                            .tag = call->tag};
    struct ork_term recv = send;
    bool open;

    recv.kind = ORK_KIND_RECV;
    recv.peer = call->peer2;
    recv.tag = call->tag2;
    ork_graph_emit_open(b, ORK_WFG_AND, 0);
    open = emit_op(b, th->send, ork_graph_add_term(b, &send));
    open |= emit_op(b, th->recv, ork_graph_add_term(b, &recv));
    ork_graph_emit_close(b);
    return open;
}

/* ---- waiting for requests ---- */

static uint32_t request_term(struct builder *b, struct proc *p, const struct ork_record *call,
                             uint32_t index)
{
    struct comm_ref *ref = ork_comm_ref(p, call->comm);

    return ork_graph_add_term(
        b, &(struct ork_term){.rank = p->rank,
                              .index = index,
                              .call = call->call,
                              .kind = call->kind,
                              .site = call->site,
                              .comm = ref != NULL ? ref->comm->id : 0,
                              .peer = call->peer,
                              .tag = call->tag,
                              .op = call->kind == ORK_KIND_COLL ? call->arg : 0});
}

bool ork_graph_emit_request(struct builder *b, struct proc *p, struct request *r, uint32_t index)
{
    if (r->op != NULL)
        return emit_op(b, r->op, request_term(b, p, &r->call, index));
    if (r->wave != NULL)
        return ork_graph_emit_wave(b, p, r->wave, &r->call, request_term(b, p, &r->call, index));
    return ork_graph_emit_true(b);
}

bool ork_graph_emit_shared(struct builder *b, struct proc *p, bool all)
{
    uint32_t n = 0, open = 0;

    ork_graph_emit_open(b, all ? ORK_WFG_AND : ORK_WFG_OR, 0);
    for (struct op *op = p->shared; op != NULL; op = op->owner_next) {
        struct ork_term term = {.rank = p->rank,
                                .index = UINT32_MAX,
                                .call = op->call,
                                .kind = op->is_send ? ORK_KIND_SEND : ORK_KIND_RECV,
                                .site = op->site,
                                .comm = op->comm,
                                .peer = op->peer,
                                .tag = op->tag};
        open += emit_op(b, op, ork_graph_add_term(b, &term));
        n++;
    }
    ork_graph_emit_close(b);
    return all ? open > 0 : open == n && n > 0;
}

static bool emit_wait(struct builder *b, struct mpi_thread *th)
{
    struct proc *p = th->proc;
    bool all = th->call.mode == ORK_WAIT_ONE || th->call.mode == ORK_WAIT_ALL;
    uint32_t members = 0, open = 0;

    ork_graph_emit_open(b, all ? ORK_WFG_AND : ORK_WFG_OR, 0);
    for (uint32_t i = 0; i < th->call.count; i++) {
        struct request *r = ork_request_find(p, th->list[i]);
        if (r == NULL || !r->active)
            continue;
        members++;
        open += ork_graph_emit_request(b, p, r, i);
    }
    if (th->shared_needed > 0) {
        bool satisfied =
            p->shared_complete >= (all ? th->shared_needed : 1) || p->shared_count == 0;
        members++;
        open += satisfied
                    ? ork_graph_emit_true(b)
                    : ork_graph_emit_shared(b, p, all && th->shared_needed >= p->shared_count);
    }
    if (!all && members == 0) /* MPI_UNDEFINED at once */
        ork_graph_emit_true(b);
    ork_graph_emit_close(b);
    return all ? open > 0 : open == members && members > 0;
}

/* ---- others ---- */

static bool emit_epoch(struct builder *b, struct mpi_thread *th)
{
    uint32_t at = 0, process;
    bool open = false;

    if (b->permissive && th->call.kind == ORK_KIND_WIN_START)
        return ork_graph_emit_true(b);
    ork_graph_emit_open(b, ORK_WFG_AND, 0);
    while (ork_rma_next_missing(th, &at, &process))
        open |= ork_graph_emit_atom(b, process, 0);
    ork_graph_emit_close(b);
    return open;
}

/* Who holds a lock cannot be observed: any of those that may is enough to go on. */
static bool emit_lock(struct builder *b, struct mpi_thread *th)
{
    const struct lock *at = NULL;
    uint32_t process;
    bool open = false;

    if (b->permissive || th->open == 0)
        return ork_graph_emit_true(b);
    ork_graph_emit_open(b, ORK_WFG_OR, 0);
    while (ork_rma_next_holder(th, &at, &process))
        open |= ork_graph_emit_atom(b, process, 0);
    if (!open)
        ork_graph_emit_true(b);
    ork_graph_emit_close(b);
    return open;
}

/* Every message that is still in the buffer is to be matched (MPI-3.1 section 3.6). */
static bool emit_detach(struct builder *b, struct proc *p)
{
    bool open = false;

    if (b->permissive)
        return ork_graph_emit_true(b);
    ork_graph_emit_open(b, ORK_WFG_AND, 0);
    for (struct op *op = p->buffered; op != NULL; op = op->owner_next)
        open |= emit_op(b, op, 0);
    ork_graph_emit_close(b);
    return open;
}

bool ork_graph_emit_thread(struct builder *b, struct mpi_thread *th)
{
    if (th->unknown)
        return ork_graph_emit_true(b);
    switch ((int)th->call.kind) {
    case ORK_KIND_SEND:
        return emit_op(b, th->send, 0);
    case ORK_KIND_RECV:
        return emit_op(b, th->recv, 0);
    case ORK_KIND_SENDRECV:
        return emit_sendrecv(b, th);
    case ORK_KIND_PROBE:
        return emit_probe(b, th);
    case ORK_KIND_WAIT:
        return emit_wait(b, th);
    case ORK_KIND_BUFFER_DETACH:
        return emit_detach(b, th->proc);
    case ORK_KIND_WIN_START:
    case ORK_KIND_WIN_WAIT:
        return emit_epoch(b, th);
    case ORK_KIND_WIN_LOCK:
        return emit_lock(b, th);
    case ORK_KIND_COLL:
    case ORK_KIND_FINALIZE:
        return th->wave != NULL ? ork_graph_emit_wave(b, th->proc, th->wave, &th->call, 0)
                                : ork_graph_emit_true(b);
    default:
        return ork_graph_emit_true(b);
    }
}

bool ork_search_is_open(struct mpi_thread *th)
{
    struct builder b = {.d = th->proc->d, .permissive_waves = th->proc->d->model.dataflow};

    return ork_graph_emit_thread(&b, th);
}
