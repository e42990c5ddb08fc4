/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait-for conditions of sends, receives and requests. A part that a known operation may
 * complete counts as satisfied. */
#include "detector/graph/graph.h"
#include "detector/match/match.h"

static const struct comm_ref *ref_of(const struct proc *p, const struct comm *c)
{
    const struct comm_ref *ref;
    uint32_t slot = 0, number;

    do
        ref = ork_number_map_next(&p->comms, &slot, &number, sizeof(*ref));
    while (ref != NULL && ref->comm != c);
    return ref;
}

bool ork_graph_emit_op(struct wait_graph_builder *b, struct op *op, uint32_t label)
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
    struct comm *c = ork_comm_numbered(b->d, op->comm);
    const struct comm_ref *ref = c == NULL                    ? NULL
                                 : op->owner == OWNER_REQUEST ? &op->request->on
                                                              : ref_of(p, c);
    return ref == NULL ? ork_graph_emit_true(b) : ork_graph_emit_any(b, c, ref->me, label);
}

static uint32_t request_term(struct wait_graph_builder *b, struct proc *p, const struct request *r,
                             uint32_t index)
{
    const struct ork_record *call = &r->call;

    return ork_graph_add_term(
        b, &(struct ork_term){.rank = p->rank,
                              .index = index,
                              .call = call->call,
                              .kind = call->kind,
                              .site = call->site,
                              .comm = r->on.comm != NULL ? r->on.comm->id : 0,
                              .peer = call->peer,
                              .tag = call->tag,
                              .op = call->kind == ORK_KIND_COLL ? call->arg : 0});
}

bool ork_graph_emit_request(struct wait_graph_builder *b, struct proc *p, struct request *r,
                            uint32_t index)
{
    if (r->op != NULL)
        return ork_graph_emit_op(b, r->op, request_term(b, p, r, index));
    if (r->wave != NULL)
        return ork_graph_emit_wave(b, p, r->wave, &r->call, request_term(b, p, r, index));
    return ork_graph_emit_true(b);
}

struct ork_term ork_graph_op_term(const struct op *op)
{
    return (struct ork_term){.rank = op->thread->proc->rank,
                             .index = UINT32_MAX,
                             .call = op->call,
                             .kind = op->is_send ? ORK_KIND_SEND : ORK_KIND_RECV,
                             .site = op->site,
                             .comm = op->comm,
                             .peer = op->peer,
                             .tag = op->tag};
}

bool ork_graph_emit_shared(struct wait_graph_builder *b, struct proc *p, bool all)
{
    uint32_t n = 0, open = 0;

    ork_graph_emit_open(b, all ? ORK_WFG_AND : ORK_WFG_OR, 0);
    for (struct op *op = p->shared; op != NULL; op = op->owner_next) {
        struct ork_term term = ork_graph_op_term(op);
        open += ork_graph_emit_op(b, op, ork_graph_add_term(b, &term));
        n++;
    }
    ork_graph_emit_close(b);
    return all ? open > 0 : open == n && n > 0;
}
