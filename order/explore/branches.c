/* SPDX-License-Identifier: BSD-3-Clause */
#include "order/explore/branches.h"

#include "common/hash.h"

/* Is it the outcome that the run had? */
static bool is_own(const struct ork_explored *e, uint32_t run, const struct ork_change *change)
{
    return change->polls == ORK_POLLS_AGAIN &&
           ork_explored_outcome(e, run, change->rank, change->number) ==
               ork_explored_changed_outcome(e, run, change);
}

static uint64_t key_of(const struct ork_change *change)
{
    bool is_posted = change->post != 0;

    return ork_hash_add(ork_hash_add(change->rank, is_posted),
                        is_posted ? change->post : change->number);
}

double ork_branches_of(const struct ork_explored *e, uint32_t run, const struct ork_alternatives *a)
{
    struct ork_hash_map others = {0}; /* by choice: how many other outcomes it has */
    double product = 1;

    for (uint32_t i = 0; a != NULL && i < a->num && product > 0; i++) {
        const struct ork_change *change = &a->change[i];
        /* RATIONALE: most loops do not give up. */
        if (!ork_explored_fits(e, run, change) || is_own(e, run, change) ||
            change->polls == ORK_POLLS_ABANDONED || change->polls == ORK_POLLS_ALL_ABANDONED)
            continue;
        uint32_t *n = ork_hash_map_use(&others, key_of(change));
        product = n != NULL ? product * (*n + 2.0) / (*n + 1.0) : -1;
        if (n != NULL)
            ++*n;
    }
    ork_hash_map_release(&others);
    return product;
}
