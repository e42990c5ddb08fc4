/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks that died, and what they left. */
#include "overlay/root/root_internal.h"

static const struct ork_ended *find(const struct ork_ends *ends, uint32_t rank)
{
    for (uint32_t i = 0; i < ends->count; i++) {
        if (ends->ended[i].rank == rank)
            return &ends->ended[i];
    }
    return NULL;
}

const struct ork_ended *ork_root_died(const struct ork_root *root, uint32_t rank)
{
    const struct ork_ended *before = find(&root->abnormal.ends, rank);

    return before != NULL ? before : find(&root->stopped.ends, rank);
}

enum ork_status ork_root_describe_left_stacks(const struct ork_root *root, struct ork_finding *f)
{
    for (uint32_t i = 0; i < f->num_waits; i++) {
        const struct ork_ended *e = ork_root_died(root, f->waits[i].rank);
        if (e != NULL && f->waits[i].num_stack == 0 &&
            !ork_rank_row_copy_stack(&f->waits[i], e->ending.wait))
            return ORK_NOMEM;
    }
    return ORK_OK;
}
