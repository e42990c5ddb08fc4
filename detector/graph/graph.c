/* SPDX-License-Identifier: BSD-3-Clause */
/* The elements of every wait-for graph, and the hubs that its parts share: one for each
 * communicator on which some wildcard receive waits, and one for each open wave. */
#include "detector/graph/graph.h"

void ork_graph_emit_open(struct wait_graph_builder *b, enum ork_wfg_op op, uint32_t label)
{
    if (b->graph != NULL)
        ork_wfg_open(b->graph, op, label);
}

void ork_graph_emit_close(struct wait_graph_builder *b)
{
    if (b->graph != NULL)
        ork_wfg_close(b->graph);
}

bool ork_graph_emit_true(struct wait_graph_builder *b)
{
    if (b->graph != NULL)
        ork_wfg_true(b->graph);
    return false;
}

bool ork_graph_emit_atom(struct wait_graph_builder *b, uint32_t process, uint32_t label)
{
    if (b->graph != NULL)
        ork_wfg_atom(b->graph, process, label);
    return true;
}

uint32_t ork_graph_add_term(struct wait_graph_builder *b, const struct ork_term *term)
{
    struct ork_search *s = b->search;

    if (b->graph == NULL ||
        !ork_grow(b->d, &s->term, &b->term_cap, s->num_terms + 1, sizeof(*s->term)))
        return 0;
    s->term[s->num_terms++] = *term;
    return s->num_terms;
}

static uint32_t add_hub(struct wait_graph_builder *b, enum ork_wfg_op op,
                        const struct ork_hub_view *view)
{
    struct ork_search *s = b->search;

    if (ork_grow(b->d, &s->hub, &b->hub_cap, s->num_hubs + 1, sizeof(*s->hub)))
        s->hub[s->num_hubs++] = *view;
    uint32_t hub = ork_wfg_add_hub(b->graph, op, 0);
    ORK_ASSERT(hub + 1 == s->num_hubs || hub == UINT32_MAX || b->d->failed);
    return hub;
}

bool ork_graph_emit_any(struct wait_graph_builder *b, struct comm *c, uint32_t me, uint32_t label)
{
    unsigned side = c->inter && me < c->local;

    if (b->graph == NULL)
        return true;
    if (c->self)
        return ork_graph_emit_atom(b, me, label);
    if (c->hub_search[side] != b->d->counts.searches) {
        uint32_t first = side ? c->local : 0;
        uint32_t end = c->inter && !side ? c->local : c->size;
        c->hub_search[side] = b->d->counts.searches;
        c->hub[side] = add_hub(b, ORK_WFG_OR, &(struct ork_hub_view){.any = true, .comm = c->id});
        for (uint32_t i = first; i < end; i++)
            ork_wfg_add_member(b->graph, c->hub[side], ork_comm_member(c, me, i));
    }
    ork_wfg_hub(b->graph, c->hub[side], label);
    return true;
}

bool ork_graph_emit_missing(struct wait_graph_builder *b, struct wave *w, uint32_t label)
{
    struct comm *c = w->comm;
    bool is_finalize = c->ends != NULL;

    if (w->arrived >= ork_wave_size(w))
        return ork_graph_emit_true(b);
    if (b->graph == NULL)
        return true;
    if (w->hub_search != b->d->counts.searches) {
        w->hub_search = b->d->counts.searches;
        w->hub = add_hub(
            b, ORK_WFG_AND,
            &(struct ork_hub_view){.comm = is_finalize ? 0 : c->shown,
                                   .coll = is_finalize ? (uint16_t)ORK_COLL_NONE : w->first.mode});
        for (uint32_t i = 0; i < c->size; i++) {
            if (!ork_wave_has_arrived(w, i))
                ork_wfg_add_member(b->graph, w->hub, ork_comm_member(c, 0, i));
        }
    }
    ork_wfg_hub(b->graph, w->hub, label);
    return true;
}
