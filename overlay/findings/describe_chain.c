/* SPDX-License-Identifier: BSD-3-Clause */
/* Roots of a deadlock whose ranks wait for one rank each: rings and chains. */
#include "overlay/findings/describe_internal.h"

#include <stdlib.h>

static bool find_in(const struct ork_u32s *set, uint32_t rank, uint32_t *at)
{
    const uint32_t *found =
        bsearch(&rank, set->item, set->count, sizeof(rank), ork_describe_compare_ranks);

    if (found != NULL)
        *at = (uint32_t)(found - set->item);
    return found != NULL;
}

uint32_t ork_describe_step(const struct ork_finding *f, const struct ork_u32s *root)
{
    uint32_t step = 0, at;

    for (uint32_t i = 0; i < root->count; i++) {
        const struct ork_rank_row *w = ork_describe_row(f, root->item[i]);
        if (w == NULL || w->waits_for.count != 1 || !find_in(root, w->waits_for.item[0], &at))
            return 0;
        uint32_t own = (at + root->count - i) % root->count;
        if (i > 0 && own != step)
            return 0;
        step = own;
    }
    return step;
}

bool ork_describe_chain(const struct ork_finding *f, const struct ork_u32s *root,
                        const struct ork_rank_row *row[DESCRIBE_CHAIN_MAX])
{
    uint32_t rank = root->item[0], at;

    if (root->count < 3 || root->count > DESCRIBE_CHAIN_MAX)
        return false;
    for (uint32_t i = 0; i < root->count; i++) {
        row[i] = ork_describe_row(f, rank);
        if (row[i] == NULL || row[i]->call[0] == '\0' || row[i]->waits_for.count != 1)
            return false;
        for (uint32_t k = 0; k < i; k++) {
            if (row[k] == row[i])
                return false;
        }
        rank = row[i]->waits_for.item[0];
        if (!find_in(root, rank, &at))
            return false;
    }
    return rank == root->item[0];
}
