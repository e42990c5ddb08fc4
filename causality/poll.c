/* SPDX-License-Identifier: BSD-3-Clause */
/* Unsuccessful polls. Each of them could have been successful, if what it tests could have been
 * complete by then. A poll that was made before, since the choice before it, is none of them: of
 * equal ones only the first one is tried (docs/explanation/exploration.md). */
#include "causality/internal.h"

#include <stdlib.h>

void ork_causality_tried_destroy(struct tried *t)
{
    if (t == NULL)
        return;
    free(t->op);
    free(t->receive);
    free(t);
}

/* ---- equal polls ---- */

/* RATIONALE: operations with the same number of a request are told apart by their serial. */
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
static bool are_same_ops(const struct tried *t, const struct op *op, uint32_t ops)
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

static bool is_same(const struct tried *a, const struct tried *b)
{
    if (a->kind != b->kind || a->call != b->call || a->site != b->site)
        return false;
    return a->kind == ORK_CHOICE_PROBE ? is_same_probe(a->receive, b->receive)
                                       : are_same_ops(a, b->op, b->ops);
}

bool ork_causality_was_polled(const struct rank *p, const struct choice *c)
{
    const struct tried as = {.kind = c->kind,
                             .call = p->call.call,
                             .site = p->call.site,
                             .op = c->op,
                             .ops = c->ops,
                             .receive = c->receive};

    for (const struct tried *t = p->tried; t != NULL && p->tries == c->number; t = t->earlier) {
        if (is_same(t, &as))
            return true;
    }
    return false;
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
        return true;
    case OP_LOCK:
    case OP_EPOCH:
        break;
    }
    return false;
}

/* False: not all of them are followed, or out of memory. */
static bool read_array(struct rank *p, struct tried *t, const uint32_t *id, uint32_t ids)
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

static bool read_tried(struct rank *p, struct tried *t, const struct ork_record *poll,
                       const uint32_t *list)
{
    *t = (struct tried){.call = poll->call, .site = poll->site, .place = poll->arg2};
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
    default:
        return false;
    }
}

/* NULL: it was made before, or what it tests is not followed. */
static struct tried *try(struct rank *p, const struct ork_record *poll, const uint32_t *list)
{
    struct tried *t = malloc(sizeof(*t));

    if (p->tries != poll->extra) {
        p->tries = poll->extra;
        p->tried = NULL;
        p->num_tried = 0;
    }
    p->causality->failed |= t == NULL;
    if (t == NULL)
        return NULL;
    bool is_new = read_tried(p, t, poll, list);
    p->has_untried_poll |= !is_new;
    for (const struct tried *e = p->tried; e != NULL && is_new; e = e->earlier)
        is_new = !is_same(e, t);
    if (is_new && p->num_tried == ORK_POLLS_MAX)
        p->has_untried_poll = true;
    if (!is_new || p->num_tried == ORK_POLLS_MAX) {
        ork_causality_tried_destroy(t);
        return NULL;
    }
    t->earlier = p->tried;
    p->tried = t;
    p->num_tried++;
    return t;
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
    p->poll[p->polls] = (struct poll){.number = poll->extra,
                                      .polls = poll->bytes,
                                      .time = NEVER,
                                      .value = NEVER,
                                      .acted_at = NEVER,
                                      .tried = try(p, poll, list)};
    struct step *s = ork_causality_step(p, STEP_POLL);
    if (s != NULL)
        s->poll = p->polls;
    p->polls++;
}

/* ---- what was kept ---- */

static uint32_t num_before(const struct rank *p, uint64_t time)
{
    uint32_t low = 0, high = p->polls;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (p->poll[middle].time < time)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

/* RATIONALE: not all of them. Of equal ones after the latest thing that the rank did for others
 * there may be any number, and nothing depends on it; the first one may be one that is tried. */
uint64_t ork_causality_polls_before(const struct rank *p, uint64_t time, uint64_t *keep)
{
    uint32_t i = num_before(p, time);
    uint64_t tried = 0;

    if (i == 0 || p->poll[i - 1].number <= *keep)
        return 0;
    uint64_t number = p->poll[i - 1].number;
    *keep = number - 1;
    for (; i > 0 && p->poll[i - 1].number == number; i--) {
        if (p->poll[i - 1].acted_at < time)
            return i < p->polls && p->poll[i].number == number ? larger(tried, p->poll[i].polls)
                                                               : ORK_POLLS_ALL;
        if (tried == 0 && p->poll[i - 1].tried != NULL)
            tried = p->poll[i - 1].polls + 1;
    }
    return tried;
}

void ork_causality_last_polls(const struct ork_causality *c, ork_polls_take *take, void *context)
{
    for (uint32_t r = 0; r < c->nprocs; r++) {
        const struct rank *p = &c->rank[r];
        const struct poll *last = p->polls == 0 ? NULL : &p->poll[p->polls - 1];
        uint64_t chosen = p->choices == 0 ? 0 : p->choice[p->choices - 1]->number;
        if (last != NULL && last->number > chosen &&
            !take(context, r, last->number, last->polls + 1))
            return;
    }
}
