/* SPDX-License-Identifier: BSD-3-Clause */
/* Lazy Lamport clocks: what is not after a choice by them is not after it; the opposite is not
 * true, so fewer alternatives are found. Lazy vector clocks are the exact ones that join a message
 * late. */
#include "bench/lazy_clocks.h"

#include "common/lower_bound.h"
#include "order/causality/internal.h"

#include <stdlib.h>

struct change {
    uint64_t value, time;
};

struct past {
    uint64_t now;
    struct change *change;
    uint32_t changes, room;
};

static bool create(struct ork_causality *c)
{
    c->clock_state = calloc(c->nprocs, sizeof(struct past));
    return c->clock_state != NULL;
}

static void destroy(struct ork_causality *c)
{
    struct past *past = c->clock_state;

    for (uint32_t r = 0; past != NULL && r < c->nprocs; r++)
        free(past[r].change);
    free(past);
}

static bool set(const struct ork_causality *c, struct past *p, uint64_t value, uint64_t time)
{
    p->now = value;
    if (c->is_summary)
        return true;
    if (!ork_vec_reserve(&p->change, &p->room, p->changes + 1, sizeof(*p->change)))
        return false;
    p->change[p->changes++] = (struct change){.value = value, .time = time};
    return true;
}

static uint64_t tick(struct ork_causality *c, uint32_t rank, uint64_t time)
{
    struct past *p = (struct past *)c->clock_state + rank;

    return set(c, p, p->now + 1, time) ? p->now : 0;
}

static union stamp take(struct ork_causality *c, uint32_t rank)
{
    return (union stamp){.scalar = ((const struct past *)c->clock_state)[rank].now};
}

static void release(union stamp stamp)
{
    (void)stamp;
}

static uint64_t component(const struct ork_causality *c, union stamp stamp, uint32_t rank)
{
    (void)c;
    (void)rank;
    return stamp.scalar;
}

static bool join(struct ork_causality *c, uint32_t rank, union stamp stamp, uint64_t time)
{
    struct past *p = (struct past *)c->clock_state + rank;

    return stamp.scalar <= p->now || set(c, p, stamp.scalar, time);
}

static bool merge(union stamp *to, union stamp from)
{
    if (from.scalar > to->scalar)
        to->scalar = from.scalar;
    return true;
}

static void sort(struct ork_causality *c)
{
    (void)c; /* the changes of a rank ascend */
}

static uint64_t after(const struct ork_causality *c, uint32_t of, uint32_t rank, uint64_t value)
{
    const struct past *p = (const struct past *)c->clock_state + of;

    (void)rank;
    ORK_LOWER_BOUND(low, p->changes, i, p->change[i].value < value);
    return low < p->changes ? p->change[low].time : NEVER;
}

/* ---- the rule of both ---- */

static bool is_silent(const struct rank *p, const struct receive *r)
{
    const struct ork_comm *comm = r->box->ref.comm;

    return ork_causality_is_silent(&p->causality->rank[ork_comms_rank_of(comm, r->got_from)]);
}

static void advance(struct rank *p, struct receive *r)
{
    r->value = p->causality->clocks->tick(p->causality, p->number, p->time);
    p->causality->failed |= r->value == 0;
}

static void learn(struct rank *p, union stamp *stamp)
{
    const struct clocks *clocks = p->causality->clocks;

    p->causality->failed |= !clocks->join(p->causality, p->number, *stamp, p->time);
    clocks->release(*stamp);
    *stamp = (union stamp){0};
}

/* The receive is complete. */
static void complete(struct rank *p, struct receive *r)
{
    for (struct receive *e = r->box->first_unforced, *next; e != NULL && e != r; e = next) {
        next = e->next_unforced;
        if (e->is_wildcard && ork_causality_is_match_before(e, r)) {
            ork_causality_force(e);
            advance(p, e);
        }
    }
    if (!r->forced)
        ork_causality_force(r);
    if (r->is_wildcard && r->value == NEVER)
        advance(p, r);
    if (r->message != NULL)
        learn(p, &r->message->stamp);
}

/* Every earlier wildcard receive that could have taken the message gets its number now, and its
 * message is joined when it is complete. */
static bool force(struct rank *p, const struct step *s)
{
    for (uint32_t i = 0; i < s->ops; i++) {
        const struct receive *r = s->op[i].type == OP_RECEIVE ? s->op[i].receive : NULL;
        if (r != NULL && r->posted && !r->is_cancelled && r->message == NULL && !is_silent(p, r))
            return false;
    }
    for (uint32_t i = 0; i < s->ops; i++) {
        struct receive *r = s->op[i].type == OP_RECEIVE ? s->op[i].receive : NULL;
        if (r != NULL && r->posted && r->is_cancelled)
            ork_causality_withdraw(r);
        else if (r != NULL && r->posted)
            complete(p, r);
    }
    return true;
}

const struct clocks scalar_clocks = {.create = create,
                                     .destroy = destroy,
                                     .tick = tick,
                                     .take = take,
                                     .release = release,
                                     .component = component,
                                     .join = join,
                                     .merge = merge,
                                     .sort = sort,
                                     .after = after,
                                     .force = force};

struct clocks vector_clocks;

__attribute__((constructor)) static void begin(void)
{
    vector_clocks = ork_clocks_exact;
    vector_clocks.force = force;
}
