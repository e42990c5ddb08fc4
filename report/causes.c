/* SPDX-License-Identifier: BSD-3-Clause */
#include "report/causes.h"

#include "report/ranks.h"

#include <stdlib.h>
#include <string.h>

static uint32_t add_ranks(uint32_t *rank, uint32_t n, const struct ork_u32s *set)
{
    if (set->count > 0)
        memcpy(rank + n, set->item, set->count * sizeof(*rank));
    return n + set->count;
}

uint32_t *ork_finding_causes(const struct ork_finding *f, uint32_t *count)
{
    size_t room = 1 + (size_t)f->ranks.count + f->num_waits;
    uint32_t n = 0;

    for (uint32_t k = 0; k < f->num_roots; k++)
        room += f->roots[k].count;
    uint32_t *rank = malloc(room * sizeof(*rank));
    if (rank == NULL)
        return NULL;
    for (uint32_t k = 0; k < f->num_roots; k++)
        n = add_ranks(rank, n, &f->roots[k]);
    if (n == 0) { /* no cause is named: all ranks concerned */
        n = add_ranks(rank, n, &f->ranks);
        for (uint32_t i = 0; i < f->num_waits; i++)
            rank[n++] = f->waits[i].rank;
    }
    qsort(rank, n, sizeof(*rank), ork_rank_compare);
    *count = 0;
    for (uint32_t i = 0; i < n; i++) {
        if (i == 0 || rank[i] != rank[i - 1])
            rank[(*count)++] = rank[i];
    }
    return rank;
}

bool ork_finding_has_root(const struct ork_finding *f, uint32_t rank)
{
    for (uint32_t k = 0; k < f->num_roots; k++) {
        if (ork_rank_in(f->roots[k].item, f->roots[k].count, rank))
            return true;
    }
    return false;
}

uint32_t *ork_finding_origins(const struct ork_finding *f, uint32_t *count)
{
    if (f->end.as == ORK_AS_NONE || f->end.rank == UINT32_MAX)
        return ork_finding_causes(f, count);
    uint32_t *rank = malloc(sizeof(*rank));
    if (rank == NULL)
        return NULL;
    *rank = f->end.rank;
    *count = 1;
    return rank;
}
