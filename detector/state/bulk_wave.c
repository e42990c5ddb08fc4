/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call that all members made at once. */
#include "detector/state/state.h"

#include "common/lower_bound.h"

#include <stdlib.h>

void ork_bulk_wave_put(struct bulk_wave *g)
{
    if (g == NULL)
        return;
    ORK_ASSERT(g->refs > 0);
    if (--g->refs == 0)
        free(g);
}

static bool has_rank(const struct ork_group_record *a, uint32_t rank)
{
    ORK_LOWER_BOUND(low, a->num_spans, i, ork_span_end(&a->span[i]) <= rank);
    return low < a->num_spans && a->span[low].first <= rank;
}

const struct ork_record *ork_bulk_wave_call(const struct bulk_wave *g, uint32_t rank)
{
    for (uint32_t i = 0; i < g->num_group_records; i++) {
        if (has_rank(&g->group_record[i], rank))
            return &g->group_record[i].call;
    }
    return NULL;
}
