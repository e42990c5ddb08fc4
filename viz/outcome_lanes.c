/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/outcome_lanes.h"

#include "common/text.h"
#include "report/last_calls.h"
#include "report/ranks.h"
#include "viz/viz.h"

#include <stdlib.h>
#include <string.h>

/* RATIONALE: a report from a file may have any number; the tool writes 8. Each has calls of up to
 * three ranks. */
enum { SWITCHED_MAX = 8, CALLS_MAX = 3 * SWITCHED_MAX, LANES_MAX = 14 };

/* A call in the lists of a finding. */
struct at {
    uint32_t list, call;
};

/* ---- among the last calls of a finding ---- */

static bool is_repeated(const struct ork_last_calls *list, uint32_t call)
{
    for (uint32_t i = 0; i <= call; i++) {
        const struct ork_last_call *c = &list->call[i];
        if (c->iterations > 1 && call < i + c->iteration)
            return true;
    }
    return list->call[call].times > 1;
}

/* False: it is not there, or it is unknown which of several it was. */
static bool find_call(const struct ork_finding *f, const struct ork_match_end *end, struct at *at)
{
    unsigned found = 0;

    for (uint32_t i = 0; i < f->num_last_calls; i++) {
        const struct ork_last_calls *list = &f->last_calls[i];
        if (end->call == NULL || !ork_rank_in(list->ranks.item, list->ranks.count, end->rank))
            continue;
        for (uint32_t k = 0; k < list->num_calls; k++) {
            if (!ork_last_call_is(&list->call[k], end->call, &end->where))
                continue;
            found += is_repeated(list, k) ? 2 : 1;
            *at = (struct at){i, k};
        }
    }
    return found == 1;
}

/* RATIONALE: a message is drawn to the call that waited for it. */
static bool find_target(const struct ork_finding *f, struct at send, struct at *receive)
{
    const char *name = f->last_calls[receive->list].call[receive->call].call;

    for (uint32_t i = 0; i < f->num_arrows; i++) {
        const struct ork_last_arrow *a = &f->arrow[i];
        if (a->from_list != send.list || a->from_call != send.call || a->to_list != receive->list)
            continue;
        receive->call = a->to_call;
        return true;
    }
    return strncmp(name, "MPI_I", 5) != 0 && strncmp(name, "MPI_Start", 9) != 0;
}

static void put_arrow(struct ork_outcome_lanes *l, struct at from, struct at to, bool is_first)
{
    l->arrow[l->num_arrows++] = (struct ork_switched_arrow){
        .arrow = {from.list, from.call, to.list, to.call}, .is_first = is_first};
}

/* Are all of these messages among the last calls of the finding? */
static bool put_into(struct ork_outcome_lanes *l, const struct ork_outcome *o,
                     const struct ork_finding *f)
{
    l->num_arrows = 0;
    if (!ork_lanes_are_worth_it(f))
        return false;
    for (uint32_t i = 0; i < o->num_switched; i++) {
        const struct ork_switched_choice *s = &o->switched[i];
        struct at receive, took, first;
        if (!find_call(f, &s->receive, &receive) || !find_call(f, &s->took, &took) ||
            !find_call(f, &s->first_took, &first) || !find_target(f, took, &receive) ||
            (took.list == first.list && took.call == first.call))
            return false;
        put_arrow(l, took, receive, false);
        put_arrow(l, first, receive, true);
    }
    return true;
}

/* ---- the calls alone ---- */

static struct ork_last_calls *list_of(const struct ork_finding *f, uint32_t rank)
{
    for (uint32_t i = 0; i < f->num_last_calls; i++) {
        if (f->last_calls[i].ranks.item[0] == rank)
            return &f->last_calls[i];
    }
    return NULL;
}

/* The lists are by rank. False: out of memory. */
static bool add_list(struct ork_finding *f, uint32_t rank)
{
    uint32_t i = f->num_last_calls;

    if (list_of(f, rank) != NULL)
        return true;
    for (; i > 0 && f->last_calls[i - 1].ranks.item[0] > rank; i--)
        f->last_calls[i] = f->last_calls[i - 1];
    f->last_calls[i] =
        (struct ork_last_calls){.ranks = {malloc(sizeof(rank)), 1},
                                .thread = -1,
                                .call = calloc(CALLS_MAX, sizeof(*f->last_calls->call))};
    f->num_last_calls++;
    if (f->last_calls[i].ranks.item == NULL || f->last_calls[i].call == NULL)
        return false;
    f->last_calls[i].ranks.item[0] = rank;
    return true;
}

/* `alone`: each time it is another call, wherever it is. The rank has a list. */
static bool add_call(struct ork_finding *f, const struct ork_match_end *end, bool alone,
                     struct at *at)
{
    struct ork_last_calls *list = list_of(f, end->rank);
    uint32_t i = 0;

    at->list = (uint32_t)(list - f->last_calls);
    while (i < list->num_calls &&
           (alone || !ork_last_call_is(&list->call[i], end->call, &end->where)))
        i++;
    at->call = i;
    if (i < list->num_calls)
        return true;
    struct ork_last_call *c = &list->call[list->num_calls++];
    *c = (struct ork_last_call){.times = 1, .position = UINT32_MAX};
    c->where.line = end->where.line;
    c->where.offset = end->where.offset;
    return ork_text_copy(&c->call, end->call) && ork_text_copy(&c->where.file, end->where.file) &&
           ork_text_copy(&c->where.module, end->where.module);
}

static bool is_drawn(const struct ork_finding *f, const struct ork_switched_choice *s)
{
    return s->receive.call != NULL && s->took.call != NULL && s->first_took.call != NULL &&
           list_of(f, s->receive.rank) != NULL && list_of(f, s->took.rank) != NULL &&
           list_of(f, s->first_took.rank) != NULL;
}

/* False: out of memory. */
static bool add_lists(struct ork_finding *f, const struct ork_outcome *o)
{
    bool done = true;

    for (uint32_t i = 0; i < o->num_switched && f->num_last_calls + 3 <= LANES_MAX && done; i++) {
        const struct ork_switched_choice *s = &o->switched[i];
        done = add_list(f, s->receive.rank) && add_list(f, s->took.rank) &&
               add_list(f, s->first_took.rank);
    }
    return done;
}

/* False: out of memory. */
static bool put_alone(struct ork_outcome_lanes *l, const struct ork_outcome *o)
{
    struct ork_finding *f = &l->own;

    l->num_arrows = 0;
    f->id = strdup("");
    f->last_calls = calloc(LANES_MAX, sizeof(*f->last_calls));
    if (f->id == NULL || f->last_calls == NULL || !add_lists(f, o))
        return false;
    for (uint32_t i = 0; i < o->num_switched && i < SWITCHED_MAX; i++) {
        const struct ork_switched_choice *s = &o->switched[i];
        struct at receive, took, first;
        if (!is_drawn(f, s))
            continue;
        if (!add_call(f, &s->took, false, &took) || !add_call(f, &s->first_took, false, &first) ||
            !add_call(f, &s->receive, true, &receive))
            return false;
        put_arrow(l, took, receive, false);
        put_arrow(l, first, receive, true);
    }
    return true;
}

/* ---- either ---- */

enum ork_status ork_outcome_lanes_init(struct ork_outcome_lanes *l, const struct ork_outcome *o)
{
    *l = (struct ork_outcome_lanes){.finding = UINT32_MAX};
    if (o->num_switched == 0)
        return ORK_NOTFOUND;
    l->arrow = calloc(2 * (size_t)o->num_switched, sizeof(*l->arrow));
    if (l->arrow == NULL)
        return ORK_NOMEM;
    for (uint32_t i = 0; ork_outcome_is_reported(o) && i < o->num_findings; i++) {
        if (!put_into(l, o, &o->finding[i]))
            continue;
        l->finding = i;
        l->drawn = &o->finding[i];
        return ORK_OK;
    }
    l->drawn = &l->own;
    enum ork_status status = put_alone(l, o) ? ORK_OK : ORK_NOMEM;
    if (status == ORK_OK && !ork_lanes_are_worth_it(l->drawn))
        status = ORK_NOTFOUND;
    if (status != ORK_OK)
        ork_outcome_lanes_release(l);
    return status;
}

void ork_outcome_lanes_release(struct ork_outcome_lanes *l)
{
    ork_finding_release(&l->own);
    free(l->arrow);
    *l = (struct ork_outcome_lanes){.finding = UINT32_MAX};
}

enum ork_status ork_viz_outcome_lanes_svg(const struct ork_outcome *outcome, char **text)
{
    struct ork_outcome_lanes l;
    enum ork_status status = ork_outcome_lanes_init(&l, outcome);

    if (status == ORK_OK) {
        status = ork_lanes_svg_switched(l.drawn, l.arrow, l.num_arrows, text);
        ork_outcome_lanes_release(&l);
    }
    for (uint32_t i = 0; i < outcome->num_findings && status == ORK_NOTFOUND; i++)
        status = ork_viz_lanes_svg(&outcome->finding[i], text);
    return status;
}
