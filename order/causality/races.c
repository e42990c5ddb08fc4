/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/causality/races.h"

#include "order/causality/watch.h"

#include <stdlib.h>

struct ork_races {
    struct ork_causality *causality;
};

enum ork_status ork_races_create(uint32_t nprocs, struct ork_races **out)
{
    struct ork_races *races = calloc(1, sizeof(*races));
    enum ork_status status =
        races == NULL ? ORK_NOMEM : ork_causality_create(nprocs, &races->causality);

    if (status != ORK_OK) {
        free(races);
        return status;
    }
    races->causality->is_summary = true;
    *out = races;
    return ORK_OK;
}

void ork_races_set_limit(struct ork_races *races, uint64_t bytes)
{
    ork_causality_set_limit(races->causality, bytes);
}

void ork_races_destroy(struct ork_races *races)
{
    if (races == NULL)
        return;
    ork_causality_destroy(races->causality);
    free(races);
}

enum ork_status ork_races_feed(struct ork_races *races, uint32_t rank,
                               const struct ork_record *record, size_t n)
{
    return ork_causality_feed(races->causality, rank, record, n);
}

void ork_races_end(struct ork_races *races, uint32_t rank)
{
    ork_causality_end(races->causality, rank, ORK_CAUSAL_OWN);
}

const char *ork_races_lost(const struct ork_races *races, uint32_t rank)
{
    return ork_causality_lost(races->causality, rank);
}

void ork_races_list(const struct ork_races *races, ork_race_take *take, void *context)
{
    const struct ork_causality *c = races->causality;

    for (uint32_t r = 0; r < c->nprocs; r++) {
        const struct watch *w = c->rank[r].watch;
        for (uint32_t i = 0; w != NULL && i < w->places; i++) {
            if (w->place[i].raced > 0 && !take(context, &w->place[i]))
                return;
        }
    }
}
