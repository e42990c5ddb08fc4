/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/causality/events.h"

#include "order/causality/internal.h"

#include <stdlib.h>

struct ork_events {
    struct ork_causality *causality;
    struct ork_events_user user;
};

enum ork_status ork_events_create(uint32_t nprocs, const struct ork_events_user *user,
                                  struct ork_events **out)
{
    struct ork_events *e = calloc(1, sizeof(*e));
    enum ork_status status = e == NULL ? ORK_NOMEM : ork_causality_create(nprocs, &e->causality);

    if (status != ORK_OK) {
        free(e);
        return status;
    }
    e->user = *user;
    e->causality->is_summary = true;
    e->causality->user = &e->user;
    *out = e;
    return ORK_OK;
}

void ork_events_destroy(struct ork_events *e)
{
    if (e == NULL)
        return;
    ork_causality_destroy(e->causality);
    free(e);
}

const struct ork_causality *ork_events_causality(const struct ork_events *e)
{
    return e->causality;
}

enum ork_status ork_events_feed(struct ork_events *e, uint32_t rank,
                                const struct ork_record *record, size_t n)
{
    return ork_causality_feed(e->causality, rank, record, n);
}

void ork_events_end(struct ork_events *e, uint32_t rank)
{
    ork_causality_end(e->causality, rank, ORK_CAUSAL_OWN);
}

const char *ork_events_lost(const struct ork_events *e)
{
    const struct ork_causality *c = e->causality;

    if (c->lost != NULL)
        return c->lost;
    return c->is_uncertain ? "the order of some calls is not known" : NULL;
}

const char *ork_events_stuck(const struct ork_events *e)
{
    const char *why = NULL;

    for (uint32_t r = 0; why == NULL && r < e->causality->nprocs; r++)
        why = ork_causality_lost(e->causality, r);
    return why;
}

void ork_events_tick_sends(struct ork_events *e)
{
    e->causality->ticks_sends = true;
}

void ork_events_wake(struct ork_events *e, uint32_t rank)
{
    ork_causality_wake(&e->causality->rank[rank]);
}

bool ork_events_is_silent(const struct ork_events *e, uint32_t rank)
{
    return ork_causality_is_silent(&e->causality->rank[rank]);
}

/* ---- clocks ---- */

uint32_t ork_events_tick(struct ork_events *e, uint32_t rank)
{
    struct ork_causality *c = e->causality;

    return (uint32_t)c->clocks->tick(c, rank, c->rank[rank].time);
}

struct ork_stamp ork_events_take(const struct ork_events *e, uint32_t rank)
{
    return (struct ork_stamp){.vector = e->causality->clocks->take(e->causality, rank).vector};
}

struct ork_stamp ork_events_share(struct ork_stamp stamp)
{
    ork_vector_share(stamp.vector);
    return stamp;
}

void ork_events_release(struct ork_stamp stamp)
{
    ork_clocks_exact.release((union stamp){.vector = stamp.vector});
}

uint32_t ork_events_component(const struct ork_events *e, struct ork_stamp stamp, uint32_t rank)
{
    const struct ork_causality *c = e->causality;

    return (uint32_t)c->clocks->component(c, (union stamp){.vector = stamp.vector}, rank);
}

uint64_t ork_events_learned(const struct ork_events *e, uint32_t rank)
{
    return e->causality->rank[rank].learned;
}

bool ork_events_join(struct ork_events *e, uint32_t rank, struct ork_stamp stamp)
{
    struct ork_causality *c = e->causality;

    return c->clocks->join(c, rank, (union stamp){.vector = stamp.vector}, c->rank[rank].time);
}

bool ork_events_merge(struct ork_stamp *to, struct ork_stamp from)
{
    union stamp sum = {.vector = to->vector};
    bool good = ork_clocks_exact.merge(&sum, (union stamp){.vector = from.vector});

    to->vector = sum.vector;
    return good;
}
