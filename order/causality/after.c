/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/causality/after.h"

#include "common/lower_bound.h"

#include <stdlib.h>

/* The greatest done_at of the receives up to each one. */
static bool update_done_before(struct rank *p)
{
    uint64_t most = 0;

    free(p->done_before);
    p->done_before = malloc((p->receives + 1) * sizeof(*p->done_before));
    if (p->done_before == NULL)
        return false;
    for (uint32_t i = 0; i < p->receives; i++) {
        const struct receive *r = p->receive[i];
        if (r->posted && r->done_at > most)
            most = r->done_at;
        p->done_before[i] = most;
    }
    return true;
}

bool ork_after_init(struct after *a, struct ork_causality *c)
{
    size_t size = c->nprocs * sizeof(uint64_t);
    bool good = true;

    *a = (struct after){.causality = c,
                        .time = malloc(size),
                        .keep = malloc(size),
                        .first = malloc(size),
                        .end = malloc(size)};
    for (uint32_t r = 0; good && r < c->nprocs; r++)
        good = update_done_before(&c->rank[r]);
    c->clocks->sort(c);
    good = good && ork_vec_reserve(&a->choice, &a->choice_room, 1, sizeof(*a->choice));
    return good && a->time != NULL && a->keep != NULL && a->first != NULL && a->end != NULL;
}

static void unmark_all(struct after *a)
{
    for (uint32_t i = 0; i < a->num_matched; i++)
        a->matched[i]->is_after = false;
    a->num_matched = 0;
}

void ork_after_release(struct after *a)
{
    unmark_all(a);
    free(a->time);
    free(a->keep);
    free(a->first);
    free(a->end);
    free(a->matched);
    free(a->choice);
}

void ork_after_choose(struct after *a, uint32_t rank, uint64_t value, struct receive *of)
{
    a->choices = 1;
    a->choice[0].rank = rank;
    a->choice[0].value = value;
    a->of = of;
    a->is_complete = false;
}

bool ork_after_add(struct after *a, uint32_t rank, uint64_t value)
{
    if (!ork_vec_reserve(&a->choice, &a->choice_room, a->choices + 1, sizeof(*a->choice)))
        return false;
    a->choice[a->choices].rank = rank;
    a->choice[a->choices++].value = value;
    a->is_complete = false;
    return true;
}

uint64_t ork_after_time(struct after *a, uint32_t rank)
{
    uint64_t first = NEVER;

    if (a->is_complete)
        return a->time[rank];
    for (uint32_t i = 0; i < a->choices; i++) {
        uint64_t value = a->choice[i].value;
        uint64_t time = value == NEVER ? NEVER
                                       : a->causality->clocks->after(a->causality, rank,
                                                                     a->choice[i].rank, value);
        first = time < first ? time : first;
    }
    return first;
}

/* How many of `n` elements, from the first one on, are before; they are a prefix. */
static uint64_t num_before(const struct rank *p, uint32_t n,
                           bool (*is_before)(const struct rank *p, uint32_t i, uint64_t time),
                           uint64_t time)
{
    ORK_LOWER_BOUND(low, n, i, is_before(p, i, time));
    return low;
}

static bool is_choice_before(const struct rank *p, uint32_t i, uint64_t time)
{
    return p->choice[i]->time < time;
}

static bool are_done_before(const struct rank *p, uint32_t i, uint64_t time)
{
    return p->done_before[i] < time;
}

static void choose_keep(struct after *a, const struct rank *p, uint64_t time)
{
    uint64_t n = num_before(p, p->choices, is_choice_before, time);

    /* RATIONALE: choices that no record shows may be between two others: they do not count as
     * made before the second one, if that is after the choice. */
    a->keep[p->number] = n == 0 ? 0 : p->choice[n - 1]->number;
}

static bool mark(struct after *a, struct receive *r)
{
    r->is_after = true;
    if (!ork_vec_reserve(&a->matched, &a->room, a->num_matched + 1, sizeof(struct receive *)))
        return false;
    a->matched[a->num_matched++] = r;
    return true;
}

static bool is_match_after(struct after *a, const struct rank *p, const struct receive *r)
{
    const struct message *m = r->message;

    if (r == a->of || (m != NULL && m->time >= a->time[m->channel->rank]))
        return true;
    for (uint64_t i = a->first[p->number]; i < r->position; i++) {
        const struct receive *e = p->receive[i];
        if (e->is_after && e->box == r->box && ork_causality_is_match_before(e, r))
            return true;
    }
    return false;
}

/* The receives of a rank that were posted before the choice, and matched after it. */
static bool choose_matched(struct after *a, const struct rank *p)
{
    uint64_t time = a->time[p->number], i = num_before(p, p->receives, are_done_before, time);

    a->first[p->number] = i;
    for (; i < p->receives; i++) {
        struct receive *r = p->receive[i];
        if (!r->posted)
            continue;
        if (r->posted_at >= time)
            break;
        if (is_match_after(a, p, r) && !mark(a, r))
            return false;
    }
    a->end[p->number] = i;
    return true;
}

static bool choose_all_matched(struct after *a)
{
    const struct ork_causality *c = a->causality;

    unmark_all(a);
    for (uint32_t r = 0; r < c->nprocs; r++) {
        if (!choose_matched(a, &c->rank[r]))
            return false;
    }
    return true;
}

/* What comes after the return of a synchronous send is after the match of its message. */
static bool add_return(struct after *a, const struct message *m)
{
    struct ork_causality *c = a->causality;
    bool is_earlier = false;

    if (m == NULL || m->returned == 0)
        return false;
    for (uint32_t r = 0; r < c->nprocs; r++) {
        uint64_t time = c->clocks->after(c, r, m->channel->rank, m->returned);
        is_earlier |= time < a->time[r];
        a->time[r] = time < a->time[r] ? time : a->time[r];
    }
    return is_earlier;
}

/* False: nothing has changed. */
static bool add_returns(struct after *a)
{
    bool is_earlier = false;

    for (uint32_t i = 0; i < a->num_matched; i++) {
        if (a->matched[i]->takes)
            is_earlier |= add_return(a, a->matched[i]->message);
    }
    return is_earlier;
}

bool ork_after_complete(struct after *a)
{
    struct ork_causality *c = a->causality;

    if (a->is_complete)
        return true;
    for (uint32_t r = 0; r < c->nprocs; r++)
        a->time[r] = ork_after_time(a, r);
    a->is_complete = true;
    do {
        if (!choose_all_matched(a))
            return false;
    } while (add_returns(a));
    for (uint32_t r = 0; r < c->nprocs; r++)
        choose_keep(a, &c->rank[r], a->time[r]);
    return true;
}

bool ork_after_is_sound(const struct after *a)
{
    const struct ork_causality *c = a->causality;
    uint32_t rank = a->choice[0].rank;
    uint64_t time = a->time[rank];
    bool is_sound = a->of != NULL ? time > a->of->posted_at
                                  : time >= c->clocks->after(c, rank, rank, a->choice[0].value);

    ORK_ASSERT(a->is_complete && (is_sound || c->clocks != &ork_clocks_exact));
    return is_sound;
}

bool ork_after_is_matched(const struct after *a, const struct receive *r)
{
    ORK_ASSERT(a->is_complete);
    return r->message == NULL || r->is_after;
}
