/* SPDX-License-Identifier: BSD-3-Clause */
/* Probing as seen from outside: an outline, its search, and the result in the detector's terms. */
#include "detector/foresight/outline.h"

#include <stdlib.h>

struct ork_foresight {
    struct outline *outline;
    uint32_t ranks;
    bool complete;
};

enum ork_status ork_foresight_create(struct ork_detector *d, enum ork_foresight_scope scope,
                                     struct ork_foresight **out)
{
    struct ork_foresight *f = calloc(1, sizeof(*f));

    if (f == NULL)
        return ORK_NOMEM;
    f->outline = ork_outline_make(d, scope);
    if (f->outline == NULL || d->failed) {
        ork_foresight_destroy(f);
        return ORK_NOMEM;
    }
    f->ranks = d->nprocs;
    f->complete = !d->history.full;
    *out = f;
    return ORK_OK;
}

void ork_foresight_destroy(struct ork_foresight *f)
{
    if (f == NULL)
        return;
    ork_outline_destroy(f->outline);
    free(f);
}

struct ork_foresight_view ork_foresight_view(const struct ork_foresight *f)
{
    struct ork_interleave_statistics s = ork_interleave_statistics(f->outline->probe);

    return (struct ork_foresight_view){
        .undecided = f->outline->undecided, .states = s.states, .complete = f->complete};
}

/* ---- the result ---- */

static const struct outline_call *call_at(const struct outline *o, uint32_t info)
{
    static const struct outline_call none = {.call.kind = ORK_KIND_CONT};

    return info < o->num_calls ? &o->call[info] : &none;
}

static struct ork_rank_view *places(const struct ork_foresight *f)
{
    struct ork_rank_view *rank = calloc(f->ranks, sizeof(*rank));

    for (uint32_t r = 0; rank != NULL && r < f->ranks; r++) {
        struct ork_interleave_place place = ork_interleave_place(f->outline->probe, r);
        const struct outline_call *c = call_at(f->outline, place.info);
        rank[r] = (struct ork_rank_view){.status = place.ended        ? ORK_RANK_DONE
                                                   : place.deadlocked ? ORK_RANK_BLOCKED
                                                   : place.inside     ? ORK_RANK_STALLED
                                                                      : ORK_RANK_RUNNING,
                                         .end = ork_detector_rank(f->outline->d, r).end,
                                         .call = c->call,
                                         .comm = c->comm};
    }
    return rank;
}

enum ork_status ork_foresight_search(struct ork_foresight *f,
                                     const struct ork_interleave_options *options,
                                     enum ork_interleave_result *result)
{
    return ork_interleave_search(f->outline->probe, options, result);
}

static struct ork_term term_of(const struct outline *o, uint32_t rank, uint32_t index,
                               uint32_t info, bool is_send)
{
    const struct outline_call *c = call_at(o, info);
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

static struct ork_term term_of_op(const struct outline *o, uint32_t index, uint32_t number)
{
    const struct ork_interleave_op *op = ork_interleave_op(o->probe, number);

    return term_of(o, op->rank, index, op->info, op->is_send);
}

struct ork_search *ork_foresight_take_search(struct ork_foresight *f)
{
    struct outline *o = f->outline;
    struct ork_search *s = calloc(1, sizeof(*s));
    struct ork_rank_view *rank = places(f);
    struct ork_interleave_graph g = ork_interleave_take_graph(o->probe);

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
        s->term[i] = t->is_wave
                         ? (struct ork_term){.rank = t->rank,
                                             .index = t->index,
                                             .call = rank[t->rank].call.call,
                                             .kind = ORK_KIND_COLL,
                                             .site = rank[t->rank].call.site,
                                             .comm = ork_interleave_wave_info(o->probe, t->number),
                                             .peer = ORK_NO_PEER}
                         : term_of_op(o, t->index, t->number);
    }
    s->num_terms = g.num_terms;
    for (uint32_t i = 0; i < g.num_hubs; i++) {
        const struct ork_interleave_hub *h = &g.hub[i];
        uint32_t comm = h->any ? call_at(o, ork_interleave_op(o->probe, h->number)->info)->comm
                               : ork_interleave_wave_info(o->probe, h->number);
        bool ends = !h->any && o->d->comm[comm] != NULL && o->d->comm[comm]->ends != NULL;
        s->hub[i] = (struct ork_hub_view){.any = h->any, .comm = ends ? 0 : comm};
        for (uint32_t r = 0; r < f->ranks && !h->any && !ends;
             r++) { /* who is in it says what it is */
            if (rank[r].call.kind == ORK_KIND_COLL && rank[r].comm == comm)
                s->hub[i].coll = rank[r].call.mode;
        }
    }
    s->num_hubs = g.num_hubs;
    ork_interleave_graph_release(&g);
    return s;
}

uint32_t ork_foresight_num_decisions(const struct ork_foresight *f)
{
    return ork_interleave_num_decisions(f->outline->probe);
}

struct ork_foresight_decision ork_foresight_decision(const struct ork_foresight *f, uint32_t i)
{
    const struct outline *o = f->outline;
    struct ork_interleave_decision d = ork_interleave_decision(o->probe, i);
    const struct ork_interleave_op *r = ork_interleave_op(o->probe, d.receive);

    return (struct ork_foresight_decision){
        .receive = term_of_op(o, UINT32_MAX, d.receive),
        .send = term_of_op(o, UINT32_MAX, d.send),
        .differs = d.differs,
        .blind = r->blind,
        .took = r->took != ORK_INTERLEAVE_ANY ? r->took : UINT32_MAX,
    };
}
