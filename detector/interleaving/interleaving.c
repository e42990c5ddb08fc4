/* SPDX-License-Identifier: BSD-3-Clause */
/* Exploration of alternative matches, the public part: a program, its search, and the result in the
 * detector's terms. */
#include "detector/interleaving/build.h"

#include <stdlib.h>

struct ork_interleaving {
    struct program_builder *program_builder;
    uint32_t ranks;
    bool complete, knows_all;
};

enum ork_status ork_interleaving_create(struct ork_detector *d, enum ork_interleaving_scope scope,
                                        struct ork_interleaving **out)
{
    struct ork_interleaving *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return ORK_NOMEM;
    f->program_builder = ork_program_build(d, scope);
    if (f->program_builder == NULL || d->failed) {
        ork_interleaving_destroy(f);
        return ORK_NOMEM;
    }
    f->ranks = d->nprocs;
    f->complete = !d->history.full;
    f->knows_all = f->complete && f->program_builder->unknown == 0;
    *out = f;
    return ORK_OK;
}

void ork_interleaving_destroy(struct ork_interleaving *f)
{
    if (f == NULL)
        return;
    ork_program_builder_destroy(f->program_builder);
    free(f);
}

struct ork_interleaving_view ork_interleaving_view(const struct ork_interleaving *f)
{
    struct ork_interleave_statistics s = ork_interleave_statistics(f->program_builder->program);

    return (struct ork_interleaving_view){.undecided = f->program_builder->undecided,
                                          .states = s.states,
                                          .steps = s.steps,
                                          .complete = f->complete,
                                          .knows_all = f->knows_all};
}

/* ---- the result ---- */

static const struct program_call *call_at(const struct program_builder *o, uint32_t info)
{
    static const struct program_call none = {.call.kind = ORK_KIND_CONT};

    return info < o->num_calls ? &o->call[info] : &none;
}

static struct ork_rank_view *rank_views(const struct ork_interleaving *f)
{
    struct ork_rank_view *rank = calloc(f->ranks, sizeof(*rank));

    for (uint32_t r = 0; rank != NULL && r < f->ranks; r++) {
        struct ork_interleave_position place =
            ork_interleave_position(f->program_builder->program, r);
        const struct program_call *c = call_at(f->program_builder, place.info);
        rank[r] = (struct ork_rank_view){.status = place.ended        ? ORK_RANK_DONE
                                                   : place.deadlocked ? ORK_RANK_BLOCKED
                                                   : place.inside     ? ORK_RANK_STALLED
                                                                      : ORK_RANK_RUNNING,
                                         .end = ork_detector_rank(f->program_builder->d, r).end,
                                         .call = c->call,
                                         .comm = c->comm};
    }
    return rank;
}

enum ork_status ork_interleaving_search(struct ork_interleaving *f,
                                        const struct ork_interleave_options *options,
                                        enum ork_interleave_result *result)
{
    return ork_interleave_search(f->program_builder->program, options, result);
}

static struct ork_term term_of(const struct program_builder *o, uint32_t rank, uint32_t index,
                               uint32_t info, bool is_send)
{
    const struct program_call *c = call_at(o, info);
    bool second = c->call.kind == ORK_KIND_SENDRECV && !is_send;
    bool is_half = c->call.kind == ORK_KIND_SENDRECV;

    return (struct ork_term){.rank = rank,
                             .index = is_half ? UINT32_MAX : index,
                             .call = c->call.call,
                             .kind =
                                 is_half ? (is_send ? ORK_KIND_SEND : ORK_KIND_RECV) : c->call.kind,
                             .site = c->call.site,
                             .comm = c->comm,
                             .peer = second ? c->call.peer2 : c->call.peer,
                             .tag = second ? c->call.tag2 : c->call.tag};
}

static struct ork_term term_of_op(const struct program_builder *o, uint32_t index, uint32_t number)
{
    const struct ork_interleave_op *op = ork_interleave_op(o->program, number);

    return term_of(o, op->rank, index, op->info, op->is_send);
}

struct ork_search *ork_interleaving_take_search(struct ork_interleaving *f)
{
    struct program_builder *o = f->program_builder;
    struct ork_search *s = calloc(1, sizeof(*s));
    struct ork_rank_view *rank = rank_views(f);
    struct ork_interleave_graph g = ork_interleave_take_graph(o->program);

    if (s == NULL) {
        free(rank);
    } else {
        s->rank = rank;
        s->wfg = g.wfg;
        g.wfg = NULL;
        s->term = calloc(g.num_terms + (size_t)1, sizeof(*s->term));
        s->hub = calloc(g.num_hubs + (size_t)1, sizeof(*s->hub));
    }
    if (s == NULL || s->term == NULL || s->hub == NULL || s->rank == NULL) {
        ork_search_destroy(s);
        ork_interleave_graph_release(&g);
        return NULL;
    }
    for (uint32_t i = 0; i < g.num_terms; i++) {
        const struct ork_interleave_term *t = &g.term[i];
        s->term[i] =
            t->is_wave ? (struct ork_term){.rank = t->rank,
                                           .index = t->index,
                                           .call = rank[t->rank].call.call,
                                           .kind = ORK_KIND_COLL,
                                           .site = rank[t->rank].call.site,
                                           .comm = ork_interleave_wave_info(o->program, t->number),
                                           .peer = ORK_NO_PEER}
                       : term_of_op(o, t->index, t->number);
    }
    s->num_terms = g.num_terms;
    for (uint32_t i = 0; i < g.num_hubs; i++) {
        const struct ork_interleave_hub *h = &g.hub[i];
        uint32_t comm = h->any ? call_at(o, ork_interleave_op(o->program, h->number)->info)->comm
                               : ork_interleave_wave_info(o->program, h->number);
        const struct comm *c = h->any ? NULL : ork_comm_numbered(o->d, comm);
        bool ends = c != NULL && c->ends != NULL;
        s->hub[i] = (struct ork_hub_view){.any = h->any, .comm = ends ? 0 : comm};
        for (uint32_t r = 0; r < f->ranks && !h->any && !ends;
             r++) { /* a rank that waits in it shows which call it is */
            if (rank[r].call.kind == ORK_KIND_COLL && rank[r].comm == comm)
                s->hub[i].coll = rank[r].call.mode;
        }
    }
    s->num_hubs = g.num_hubs;
    ork_interleave_graph_release(&g);
    return s;
}

uint32_t ork_interleaving_num_decisions(const struct ork_interleaving *f)
{
    return ork_interleave_num_decisions(f->program_builder->program);
}

struct ork_interleaving_decision ork_interleaving_decision(const struct ork_interleaving *f,
                                                           uint32_t i)
{
    const struct program_builder *o = f->program_builder;
    struct ork_interleave_decision d = ork_interleave_decision(o->program, i);
    const struct ork_interleave_op *r = ork_interleave_op(o->program, d.receive);

    return (struct ork_interleaving_decision){
        .receive = term_of_op(o, UINT32_MAX, d.receive),
        .send = term_of_op(o, UINT32_MAX, d.send),
        .differs = d.differs,
        .blind = r->blind,
        .took = r->took != ORK_INTERLEAVE_ANY ? r->took : UINT32_MAX,
    };
}
