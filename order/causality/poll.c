/* SPDX-License-Identifier: BSD-3-Clause */
/* Unsuccessful polls. Each of them could have been successful, if what it tests could have been
 * complete by then. A poll that was made before, since the choice before it, is none of them: of
 * equal ones only the first one is tried (docs/explanation/exploration.md). */
#include "order/causality/internal.h"

#include "common/lower_bound.h"

#include <stdlib.h>

void ork_causality_distinct_destroy(struct distinct_poll *t)
{
    if (t == NULL)
        return;
    free(t->op);
    free(t->receive);
    free(t);
}

/* ---- equal polls ---- */

/* RATIONALE: operations with the same number of a request, and epochs of the same window, are told
 * apart by their serial. */
static bool is_same_op(const struct op *a, const struct op *b)
{
    return a->type == b->type && a->serial == b->serial;
}

static uint32_t skip_none(const struct op *op, uint32_t ops, uint32_t i)
{
    while (i < ops && op[i].type == OP_NONE)
        i++;
    return i;
}

/* Inactive requests do not count, unless the outcome has indices. */
static bool are_same_ops(const struct distinct_poll *t, const struct op *op, uint32_t ops)
{
    uint32_t i = 0, k = 0;

    for (;; i++, k++) {
        i = t->has_array ? i : skip_none(t->op, t->ops, i);
        k = t->has_array ? k : skip_none(op, ops, k);
        if (i >= t->ops || k >= ops)
            return i >= t->ops && k >= ops;
        if (!is_same_op(&t->op[i], &op[k]))
            return false;
    }
}

static bool is_same_probe(const struct receive *a, const struct receive *b)
{
    return a->box == b->box && a->from == b->from && a->tag == b->tag;
}

static bool is_same(const struct distinct_poll *a, const struct distinct_poll *b)
{
    if (a->kind != b->kind || a->call != b->call || a->site != b->site)
        return false;
    return a->kind == ORK_CHOICE_PROBE ? is_same_probe(a->receive, b->receive)
                                       : are_same_ops(a, b->op, b->ops);
}

/* The equal one of those before the choice of this number; NULL: there is none. */
static struct distinct_poll *find(const struct rank *p, uint64_t number,
                                  const struct distinct_poll *as)
{
    struct distinct_poll *t = p->distinct_before == number ? p->distinct : NULL;

    while (t != NULL && !is_same(t, as))
        t = t->earlier;
    return t;
}

void ork_causality_compare_polls(const struct rank *p, struct choice *c)
{
    const struct distinct_poll *t = find(p, c->number,
                                         &(struct distinct_poll){.kind = c->kind,
                                                                 .call = p->call.call,
                                                                 .site = p->call.site,
                                                                 .has_array = c->has_array,
                                                                 .op = c->op,
                                                                 .ops = c->ops,
                                                                 .receive = c->receive});

    c->was_polled = t != NULL;
    c->equal = t;
    c->last_distinct = p->distinct_before == c->number ? p->distinct : NULL;
    /* the choice is a call itself */
    bool goes_on = p->own_calls == p->series_calls + 1;
    if (t != NULL && t->series == p->series && goes_on)
        c->same = t->counted;
    c->is_in_series = p->distinct_before == c->number && p->series == p->first_series && goes_on;
}

/* ---- reading ---- */

/* Is it known what completes it? */
static bool is_followed(const struct op *op, uint32_t id)
{
    switch (op->type) {
    case OP_RECEIVE:
        return op->receive != NULL && op->receive->box != NULL;
    case OP_COLL:
        return op->part != NULL;
    case OP_NONE:
        return id == ORK_REQUEST_NULL;
    case OP_DONE:
    case OP_SEND:
    case OP_ACCESS:
    case OP_EPOCH:
        return true;
    case OP_LOCK:
        break;
    }
    return false;
}

/* False: not all of them are followed, or out of memory. */
static bool read_array(struct rank *p, struct distinct_poll *t, const uint32_t *id, uint32_t ids)
{
    t->op = calloc(ids + (size_t)1, sizeof(*t->op));
    if (t->op == NULL) {
        p->causality->failed = true;
        return false;
    }
    t->ops = ids;
    for (uint32_t i = 0; i < ids; i++) {
        t->op[i] = ork_causality_op(p, id[i]);
        if (!is_followed(&t->op[i], id[i]))
            return false;
    }
    return true;
}

static bool read_window(struct rank *p, struct distinct_poll *t, const struct ork_record *poll)
{
    t->op = malloc(sizeof(*t->op));
    if (t->op == NULL) {
        p->causality->failed = true;
        return false;
    }
    t->ops = 1;
    *t->op = ork_causality_exposure(p, poll);
    return t->op->type == OP_EPOCH;
}

static bool read_distinct(struct rank *p, struct distinct_poll *t, const struct ork_record *poll,
                          const uint32_t *list)
{
    *t = (struct distinct_poll){.call = poll->call, .site = poll->site, .place = poll->arg2};
    switch (poll->arg) {
    case ORK_POLL_TEST:
        t->kind = ORK_CHOICE_TEST;
        t->is_some = poll->mode == ORK_WAIT_SOME;
        t->has_array = t->is_some || poll->mode == ORK_WAIT_ANY;
        return read_array(p, t, list, poll->count);
    case ORK_POLL_PROBE:
        t->kind = ORK_CHOICE_PROBE;
        t->receive = ork_causality_unsuccessful_probe(p, poll);
        return t->receive != NULL && t->receive->box != NULL;
    case ORK_POLL_WINDOW:
        t->kind = ORK_CHOICE_TEST;
        return read_window(p, t, poll);
    default:
        return false;
    }
}

static void begin_choice(struct rank *p, uint64_t number)
{
    if (p->distinct_before == number)
        return;
    p->distinct_before = number;
    p->distinct = NULL;
    p->num_distinct = 0;
    p->series++;
    p->different = 0;
}

static void add_distinct(struct rank *p, struct distinct_poll *t)
{
    t->earlier = p->distinct;
    t->num_distinct = p->num_distinct;
    p->distinct = t;
    p->num_distinct++;
    t->poll_index = p->num_distinct;
}

/* What the poll tests; `is_new`: no poll before it does. NULL: not followed, or out of memory. */
static struct distinct_poll *try(struct rank *p, const struct ork_record *poll,
                                 const uint32_t *list, bool *is_new)
{
    struct distinct_poll *t = malloc(sizeof(*t));

    *is_new = false;
    p->causality->failed |= t == NULL;
    if (t == NULL)
        return NULL;
    bool is_followed = read_distinct(p, t, poll, list);
    struct distinct_poll *same = is_followed ? find(p, poll->extra, t) : NULL;
    *is_new = is_followed && same == NULL && p->num_distinct < ORK_POLLS_MAX;
    if (*is_new) {
        add_distinct(p, t);
        return t;
    }
    ork_causality_distinct_destroy(t);
    p->has_untried_poll |= same == NULL;
    return same;
}

static void begin_series(struct rank *p)
{
    if (p->own_calls != p->series_calls)
        p->series++;
    p->series_calls = p->own_calls;
    if (p->different == 0)
        p->first_series = p->series;
}

/* RATIONALE: of equal polls in a series there is any number, which no other rank knows. */
static void count_poll(struct rank *p, struct distinct_poll *t, struct poll *poll)
{
    begin_series(p);
    if (t != NULL && t->series == p->series) {
        poll->counts = t->seen < p->different;
        poll->same = poll->counts ? t->counted : 0;
        t->seen = p->different;
        return;
    }
    if (t != NULL) {
        poll->counts = true;
        t->series = p->series;
        t->seen = p->different;
        t->counted = p->different + 1;
    }
    p->different++;
}

/* Is it the first one that is equal to `t` after all different ones? RATIONALE: then each of those
 * could have been the one that was successful. */
static bool comes_again(const struct rank *p, struct distinct_poll *t, uint64_t polls)
{
    bool is_first = t->num_distinct < p->num_distinct;

    t->num_distinct = p->num_distinct;
    t->last = polls;
    return is_first;
}

/* Polls before the same choice come one after the other, and after the latest choice. */
static bool is_in_order(const struct rank *p, const struct ork_record *poll)
{
    const struct poll *last = p->polls == 0 ? NULL : &p->poll[p->polls - 1];
    uint64_t chosen = p->choices == 0 ? 0 : p->choice[p->choices - 1]->number;

    if (poll->extra <= chosen || poll->extra > INT64_MAX || poll->bytes > INT64_MAX)
        return false;
    return last == NULL || poll->extra > last->number ||
           (poll->extra == last->number && poll->bytes > last->polls);
}

void ork_causality_read_poll(struct rank *p, const struct ork_record *poll, const uint32_t *list)
{
    if (p->causality->is_summary)
        return;
    if (!is_in_order(p, poll)) {
        ork_causality_lose(p, "its polls are out of order");
        return;
    }
    if (!ork_vec_reserve(&p->poll, &p->poll_room, p->polls + 1, sizeof(*p->poll))) {
        p->causality->failed = true;
        return;
    }
    bool is_new;
    begin_choice(p, poll->extra);
    struct distinct_poll *t = try(p, poll, list, &is_new);
    bool is_again = t != NULL && !is_new && comes_again(p, t, poll->bytes);
    struct poll *to = &p->poll[p->polls];
    *to = (struct poll){.number = poll->extra,
                        .polls = poll->bytes,
                        .time = NEVER,
                        .value = NEVER,
                        .acted_at = NEVER,
                        .distinct = is_new ? t : NULL,
                        .of = t,
                        .is_again = is_again,
                        .num_distinct = p->num_distinct};
    count_poll(p, t, to);
    to->different = p->different;
    to->is_in_series = p->series == p->first_series;
    if (is_new)
        t->first = t->last = poll->bytes;
    struct step *s = ork_causality_step(p, STEP_POLL);
    if (s != NULL)
        s->poll = p->polls;
    p->polls++;
}

/* ---- polls that were abandoned ---- */

static const struct choice *choice_of(const struct rank *p, uint64_t number)
{
    ORK_LOWER_BOUND(low, p->choices, i, p->choice[i]->number < number);
    return low < p->choices && p->choice[low]->number == number ? p->choice[low] : NULL;
}

/* The last one before the choice of this number. There is one. */
static const struct poll *last_of(const struct rank *p, uint64_t number)
{
    ORK_LOWER_BOUND(low, p->polls, i, p->poll[i].number <= number);
    ORK_ASSERT(low > 0 && p->poll[low - 1].number == number);
    return &p->poll[low - 1];
}

/* Did the rank make a later choice than this one? RATIONALE: some have no record. */
static bool has_later(const struct rank *p, uint64_t number)
{
    return (p->choices > 0 && p->choice[p->choices - 1]->number > number) ||
           p->poll[p->polls - 1].number > number;
}

/* Has the rank ended after these polls, which were its last ones? */
static bool has_ended_after(const struct rank *p)
{
    return p->ended && (p->has_finished || p->how == ORK_CAUSAL_OWN ||
                        (p->how == ORK_CAUSAL_INSIDE && p->own_calls > p->series_calls));
}

static bool are_over(const struct distinct_poll *before, uint64_t polls)
{
    while (before != NULL && before->last < polls)
        before = before->earlier;
    return before == NULL;
}

/* So many distinct polls before this one, which is still polled, were polled no more. */
static uint64_t num_over(const struct distinct_poll *t)
{
    while (t != NULL && !are_over(t->earlier, t->first))
        t = t->earlier;
    return t != NULL ? t->poll_index - 1 : 0;
}

uint64_t ork_causality_num_abandoned(const struct rank *p, uint64_t number)
{
    const struct choice *next = choice_of(p, number);
    const struct poll *last = last_of(p, number);

    if (next != NULL)
        return next->equal != NULL ? num_over(next->equal) : last->num_distinct;
    return has_later(p, number) || has_ended_after(p) ? last->num_distinct : num_over(last->of);
}

/* ---- what was kept ---- */

static uint32_t num_before(const struct rank *p, uint64_t time)
{
    ORK_LOWER_BOUND(low, p->polls, i, p->poll[i].time < time);
    return low;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* Up to poll number `i`, without it. */
static uint64_t keep_all(const struct rank *p, uint32_t i, uint64_t number)
{
    return i < p->polls && p->poll[i].number == number ? p->poll[i].polls : ORK_POLLS_ALL;
}

/* RATIONALE: not all of them. Of equal ones after the latest thing that the rank did for others
 * there may be any number, and nothing depends on it; the first one may be one that is tried. But
 * if the polls were abandoned, there are only these. */
uint64_t ork_causality_polls_before(const struct rank *p, uint64_t time, uint64_t *keep)
{
    uint32_t i = num_before(p, time);
    uint64_t tried = 0;

    if (i == 0 || p->poll[i - 1].number <= *keep)
        return 0;
    uint64_t number = p->poll[i - 1].number;
    *keep = number - 1;
    const struct distinct_poll *last = p->poll[i - 1].of;
    if (last != NULL && last->poll_index <= ork_causality_num_abandoned(p, number))
        return keep_all(p, i, number);
    for (; i > 0 && p->poll[i - 1].number == number; i--) {
        if (p->poll[i - 1].acted_at < time)
            return larger(tried, keep_all(p, i, number));
        if (tried == 0 && p->poll[i - 1].distinct != NULL)
            tried = p->poll[i - 1].polls + 1;
    }
    return tried;
}

/* Did the rank make another call after the first series of polls, which all were unsuccessful?
 * `last` is its latest poll before choice `next`; NULL: it made none. */
static bool is_series_over(const struct rank *p, const struct poll *last, const struct choice *next)
{
    if (!last->is_in_series)
        return true;
    if (next != NULL)
        return !next->is_in_series;
    return has_later(p, last->number) || p->own_calls > p->series_calls;
}

void ork_causality_polled_choices(const struct ork_causality *c, ork_polls_take *take,
                                  void *context)
{
    for (uint32_t r = 0; r < c->nprocs; r++) {
        const struct rank *p = &c->rank[r];
        uint64_t in_series = 0;
        for (uint32_t i = 0; i < p->polls; i++) {
            const struct poll *poll = &p->poll[i];
            in_series = poll->is_in_series ? poll->num_distinct : in_series;
            if (i + 1 < p->polls && p->poll[i + 1].number == poll->number)
                continue;
            const struct choice *next = choice_of(p, poll->number);
            uint64_t all = ork_causality_num_abandoned(p, poll->number);
            struct ork_polled_choice polled = {.rank = r,
                                               .number = poll->number,
                                               .polls = poll->polls + 1,
                                               .different = poll->different,
                                               .same = next != NULL ? next->same : 0,
                                               .num_distinct = poll->num_distinct,
                                               .all_abandoned = all,
                                               .series_abandoned = all};
            if (poll->of != NULL) {
                polled.call = poll->of->call;
                polled.place = poll->of->place;
            }
            if (is_series_over(p, poll, next))
                polled.series_abandoned = larger(all, in_series);
            if (next != NULL && next->equal != NULL)
                polled.poll_index = next->equal->poll_index;
            if (!take(context, &polled))
                return;
        }
    }
}
