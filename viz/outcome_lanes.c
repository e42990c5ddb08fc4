/* SPDX-License-Identifier: BSD-3-Clause */
#include "viz/outcome_lanes.h"

#include "common/text.h"
#include "report/last_calls.h"
#include "report/ranks.h"
#include "viz/viz.h"

#include <stdlib.h>
#include <string.h>

/* RATIONALE: a report from a file may have any number; the tool writes 8. Each has calls in up to
 * four lanes. */
enum { SWITCHED_MAX = 8, CALLS_MAX = 3 * SWITCHED_MAX, LANES_MAX = 16, LANES_OF_ONE = 4 };

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

static void put_arrow(struct ork_outcome_lanes *l, struct at from, struct at to, bool is_first,
                      bool is_before)
{
    l->arrow[l->num_arrows++] =
        (struct ork_switched_arrow){.arrow = {from.list, from.call, to.list, to.call},
                                    .is_first = is_first,
                                    .is_before = is_before};
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
        if (s->outcome != NULL || !find_call(f, &s->receive, &receive) ||
            !find_call(f, &s->took, &took) || !find_call(f, &s->first_took, &first) ||
            !find_target(f, took, &receive) || (took.list == first.list && took.call == first.call))
            return false;
        put_arrow(l, took, receive, false, false);
        put_arrow(l, first, receive, true, false);
    }
    return true;
}

/* ---- the calls alone ---- */

static struct ork_last_calls *list_of(const struct ork_finding *f, uint32_t rank, bool is_first)
{
    for (uint32_t i = 0; i < f->num_last_calls; i++) {
        struct ork_last_calls *list = &f->last_calls[i];
        if (list->ranks.item[0] == rank && list->is_of_first_run == is_first)
            return list;
    }
    return NULL;
}

static bool is_behind(const struct ork_last_calls *list, uint32_t rank, bool is_first)
{
    uint32_t own = list->ranks.item[0];

    return own > rank || (own == rank && list->is_of_first_run && !is_first);
}

/* The lists are by rank, that of the first run after the other one. False: out of memory. */
static bool add_list(struct ork_finding *f, uint32_t rank, bool is_first)
{
    uint32_t i = f->num_last_calls;

    if (list_of(f, rank, is_first) != NULL)
        return true;
    for (; i > 0 && is_behind(&f->last_calls[i - 1], rank, is_first); i--)
        f->last_calls[i] = f->last_calls[i - 1];
    f->last_calls[i] =
        (struct ork_last_calls){.ranks = {malloc(sizeof(rank)), 1},
                                .thread = -1,
                                .call = calloc(CALLS_MAX, sizeof(*f->last_calls->call)),
                                .is_of_first_run = is_first};
    f->num_last_calls++;
    if (f->last_calls[i].ranks.item == NULL || f->last_calls[i].call == NULL)
        return false;
    f->last_calls[i].ranks.item[0] = rank;
    return true;
}

/* `decided`: it is a choice; NULL: it is none. `alone`: each time it is another call, wherever it
 * is. The rank has this list. */
struct addition {
    const struct ork_match_end *end;
    const char *decided;
    bool is_first, alone;
};

/* Without what a box need not say. */
static bool copy_words(const char *words, char **to)
{
    static const char end[] = " of the array";

    if (!ork_text_copy(to, words))
        return false;
    size_t size = words != NULL ? strlen(words) : 0, less = sizeof(end) - 1;
    if (size > less && strcmp(words + size - less, end) == 0)
        (*to)[size - less] = '\0';
    return true;
}

static bool add_call(struct ork_finding *f, struct addition a, struct at *at)
{
    struct ork_last_calls *list = list_of(f, a.end->rank, a.is_first);
    uint32_t i = 0;

    at->list = (uint32_t)(list - f->last_calls);
    while (i < list->num_calls &&
           (a.alone || !ork_last_call_is(&list->call[i], a.end->call, &a.end->where)))
        i++;
    at->call = i;
    if (i < list->num_calls)
        return true;
    struct ork_last_call *c = &list->call[list->num_calls++];
    *c = (struct ork_last_call){.times = 1, .position = UINT32_MAX};
    c->where.line = a.end->where.line;
    c->where.offset = a.end->where.offset;
    return ork_text_copy(&c->call, a.end->call) && copy_words(a.decided, &c->decided) &&
           ork_text_copy(&c->where.file, a.end->where.file) &&
           ork_text_copy(&c->where.module, a.end->where.module);
}

static bool has_list(const struct ork_finding *f, const struct ork_match_end *end)
{
    return end->call == NULL || list_of(f, end->rank, false) != NULL;
}

static bool is_drawn(const struct ork_finding *f, const struct ork_switched_choice *s)
{
    bool is_whole = s->took.call != NULL && s->first_took.call != NULL;

    return s->receive.call != NULL && has_list(f, &s->receive) && has_list(f, &s->took) &&
           has_list(f, &s->first_took) &&
           (s->outcome == NULL ? is_whole : list_of(f, s->receive.rank, true) != NULL);
}

static bool add_lists_of(struct ork_finding *f, const struct ork_switched_choice *s)
{
    return add_list(f, s->receive.rank, false) &&
           (s->outcome == NULL || add_list(f, s->receive.rank, true)) &&
           (s->took.call == NULL || add_list(f, s->took.rank, false)) &&
           (s->first_took.call == NULL || add_list(f, s->first_took.rank, false));
}

/* False: out of memory. */
static bool add_lists(struct ork_finding *f, const struct ork_outcome *o)
{
    bool done = true;

    for (uint32_t i = 0;
         i < o->num_switched && f->num_last_calls + LANES_OF_ONE <= LANES_MAX && done; i++)
        done = add_lists_of(f, &o->switched[i]);
    return done;
}

/* Does the call complete requests, or take messages? Else it is a lock or an atomic. */
static bool completes(const char *call)
{
    return ork_call_receives(call) || strncmp(call, "MPI_Wait", 8) == 0 ||
           strncmp(call, "MPI_Test", 8) == 0 || strncmp(call, "MPI_Request", 11) == 0;
}

/* A call that decided a choice. False: out of memory; nothing is added if it is not known. */
static bool add_decider(struct ork_finding *f, const struct ork_match_end *end, struct at *at)
{
    return end->call == NULL || add_call(f, (struct addition){.end = end}, at);
}

/* RATIONALE: a receive takes one message or another, so it is one box; another choice has words for
 * what it did, so it is one in each run. False: out of memory. */
static bool put_choice(struct ork_outcome_lanes *l, const struct ork_switched_choice *s)
{
    struct ork_finding *f = &l->own;
    bool is_other = s->outcome != NULL, is_before = is_other && !completes(s->receive.call);
    struct at took = {0}, first_took = {0}, own = {0}, first;

    if (!add_decider(f, &s->took, &took) || !add_decider(f, &s->first_took, &first_took) ||
        !add_call(f, (struct addition){&s->receive, s->outcome, .alone = true}, &own))
        return false;
    first = own;
    if (is_other && !add_call(f,
                              (struct addition){&s->receive, s->instead != NULL ? s->instead : "",
                                                .is_first = true, .alone = true},
                              &first))
        return false;
    l->has_choices |= is_other;
    if (s->took.call != NULL)
        put_arrow(l, took, own, false, is_before);
    if (s->first_took.call != NULL)
        put_arrow(l, first_took, first, true, is_before);
    return true;
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
        if (is_drawn(f, &o->switched[i]) && !put_choice(l, &o->switched[i]))
            return false;
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

enum ork_status ork_viz_decided_lanes_svg(const struct ork_outcome *outcome, char **text)
{
    struct ork_outcome_lanes l;
    enum ork_status status = ork_outcome_lanes_init(&l, outcome);

    if (status == ORK_OK) {
        status = ork_lanes_svg_switched(l.drawn, l.arrow, l.num_arrows, text);
        ork_outcome_lanes_release(&l);
    }
    return status;
}

enum ork_status ork_viz_outcome_lanes_svg(const struct ork_outcome *outcome, char **text)
{
    enum ork_status status = ork_viz_decided_lanes_svg(outcome, text);

    for (uint32_t i = 0; i < outcome->num_findings && status == ORK_NOTFOUND; i++)
        status = ork_viz_lanes_svg(&outcome->finding[i], text);
    return status;
}
