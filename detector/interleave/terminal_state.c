/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait-for graph of a state in which no rank can make progress. */
#include "detector/interleave/internal.h"

#include <stdlib.h>

struct graph_builder {
    struct ork_interleave *p;
    struct ork_interleave_graph *g;
    uint32_t *group_hub, *wave_hub; /* NIL: not created yet */
    bool failed;
};

/* Make room for one more item of `size` bytes; the capacity doubles at powers of two. NULL: out of
 * memory. */
static void *grow(struct graph_builder *b, void *items, uint32_t count, size_t size)
{
    void *bigger = items;

    if ((count & (count - 1)) == 0)
        bigger = realloc(items, (count == 0 ? 1 : 2 * (size_t)count) * size);
    b->failed |= bigger == NULL;
    return bigger;
}

static uint32_t add_term(struct graph_builder *b, const struct ork_interleave_term *term)
{
    struct ork_interleave_graph *g = b->g;
    struct ork_interleave_term *terms = grow(b, g->term, g->num_terms, sizeof(*terms));

    if (terms == NULL)
        return 0;
    g->term = terms;
    g->term[g->num_terms++] = *term;
    return g->num_terms;
}

static uint32_t add_hub(struct graph_builder *b, enum ork_wfg_op op,
                        const struct ork_interleave_hub *hub)
{
    struct ork_interleave_graph *g = b->g;
    struct ork_interleave_hub *hubs = grow(b, g->hub, g->num_hubs, sizeof(*hubs));

    if (hubs == NULL)
        return 0;
    g->hub = hubs;
    g->hub[g->num_hubs++] = *hub;
    uint32_t number = ork_wfg_add_hub(g->wfg, op, 0);
    ORK_ASSERT(number == g->num_hubs - 1 || number == UINT32_MAX); /* same index in both lists */
    return number;
}

static void emit_any(struct graph_builder *b, uint32_t number, uint32_t label)
{
    uint32_t group = posting_at(b->p, number)->is.group;
    const struct group *g = group_at(b->p, group);

    if (b->group_hub[group] == NIL) {
        b->group_hub[group] =
            add_hub(b, ORK_WFG_OR, &(struct ork_interleave_hub){.any = true, .number = number});
        for (uint32_t i = 0; i < g->count; i++)
            ork_wfg_add_member(b->g->wfg, b->group_hub[group], g->rank[i]);
    }
    ork_wfg_hub(b->g->wfg, b->group_hub[group], label);
}

static void emit_wave(struct graph_builder *b, uint32_t number, uint32_t label)
{
    const struct collective *w = collective_at(b->p, number);
    const struct group *g = group_at(b->p, w->group);

    if (b->wave_hub[number] == NIL) {
        b->wave_hub[number] =
            add_hub(b, ORK_WFG_AND, &(struct ork_interleave_hub){.number = number});
        for (uint32_t i = 0; i < g->count; i++) {
            if (!ork_state_has_arrived(b->p, w, i))
                ork_wfg_add_member(b->g->wfg, b->wave_hub[number], g->rank[i]);
        }
    }
    ork_wfg_hub(b->g->wfg, b->wave_hub[number], label);
}

/* Is there a receive that may take the message, or a message that the receive may take, in any
 * order? */
static bool has_partner(const struct ork_interleave *p, const struct posting *op)
{
    const struct dest *d = dest_at(p, op->dest);

    if (op->is.is_send) {
        for (uint32_t i = d->first; i != NIL; i = posting_at(p, i)->next) {
            const struct posting *r = posting_at(p, i);
            if ((is_wildcard(r) || r->chan == op->chan) && tags_fit(r, op))
                return true;
        }
        return false;
    }
    for (uint32_t c = d->first_chan; c != NIL; c = chan_at(p, c)->next) {
        if ((op->chan == NIL || op->chan == c) && ork_state_first_fit(p, chan_at(p, c), op) != NIL)
            return true;
    }
    return false;
}

static void emit_op(struct graph_builder *b, uint32_t number, uint32_t label)
{
    const struct posting *op = posting_at(b->p, number);

    if (!op->matched && has_partner(b->p, op))
        ork_wfg_true(b->g->wfg);
    else if (op->is.peer == ORK_INTERLEAVE_ANY)
        emit_any(b, number, label);
    else
        ork_wfg_atom(b->g->wfg, op->is.peer, label);
}

static void emit_part(struct graph_builder *b, uint32_t rank, uint32_t index,
                      const struct ork_interleave_part *part)
{
    if (ork_state_is_complete(b->p, part)) {
        ork_wfg_true(b->g->wfg);
        return;
    }
    uint32_t label = part->is_whole
                         ? 0
                         : add_term(b, &(struct ork_interleave_term){.rank = rank,
                                                                     .index = index,
                                                                     .is_wave = part->is_wave,
                                                                     .number = part->number});
    if (part->is_wave)
        emit_wave(b, part->number, label);
    else
        emit_op(b, part->number, label);
}

static void emit_rank(struct graph_builder *b, uint32_t rank)
{
    const struct rank *r = &b->p->rank[rank];
    const struct step *s = &r->step[r->pc];

    if (r->pc == r->steps && r->ended && !r->stopped) {
        ork_wfg_set_done(b->g->wfg, rank);
        return;
    }
    if (!ork_state_is_blocked(b->p, rank))
        return;
    ORK_ASSERT(r->pc < r->steps); /* a rank waits in a step, never at its end */
    ork_wfg_begin(b->g->wfg, rank);
    if (s->type == STEP_PEEK) {
        emit_op(b, s->number, 0);
    } else {
        ork_wfg_open(b->g->wfg, s->mode == ORK_INTERLEAVE_ALL ? ORK_WFG_AND : ORK_WFG_OR, 0);
        for (uint32_t i = 0; i < s->parts; i++)
            emit_part(b, rank, s->parts == 1 ? ORK_INTERLEAVE_NONE : i, part_at(b->p, s->part + i));
        ork_wfg_close(b->g->wfg);
    }
    ork_wfg_end(b->g->wfg);
}

static uint32_t *none(uint32_t count)
{
    uint32_t *all = malloc(((size_t)count + 1) * sizeof(*all));

    for (uint32_t i = 0; all != NULL && i < count; i++)
        all[i] = NIL;
    return all;
}

static enum ork_status build(struct ork_interleave *p, struct ork_interleave_graph *g)
{
    struct graph_builder b = {
        .p = p, .g = g, .group_hub = none(p->group.count), .wave_hub = none(p->wave.count)};
    enum ork_status status = ORK_NOMEM;

    *g = (struct ork_interleave_graph){0};
    if (b.group_hub != NULL && b.wave_hub != NULL && ork_wfg_create(p->ranks, &g->wfg) == ORK_OK) {
        for (uint32_t r = 0; r < p->ranks; r++)
            emit_rank(&b, r);
        status = ork_wfg_search(g->wfg);
    }
    free(b.group_hub);
    free(b.wave_hub);
    if (b.failed)
        status = ORK_NOMEM;
    if (status != ORK_OK)
        ork_interleave_graph_release(g);
    return status;
}

bool ork_terminal_is_deadlock(struct ork_interleave *p)
{
    bool any = false;

    for (uint32_t r = 0; r < p->ranks && !any; r++)
        any = ork_state_is_blocked(p, r);
    if (!any || p->status != ORK_OK)
        return false;
    ork_interleave_graph_release(&p->found);
    p->status = build(p, &p->found);
    for (uint32_t r = 0; r < p->ranks && p->status == ORK_OK; r++) {
        if (ork_state_is_blocked(p, r) && ork_wfg_is_deadlocked(p->found.wfg, r))
            return true;
    }
    return false;
}
