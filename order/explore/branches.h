/* SPDX-License-Identifier: BSD-3-Clause */
/* How many orders a run lets expect. */
#ifndef ORK_EXPLORE_BRANCHES_H
#define ORK_EXPLORE_BRANCHES_H

#include "order/explore/explored.h"

/* Orders that there were if each choice of that run had as many outcomes in all others: the product
 * of these numbers. `alternatives` are those of the run; NULL: unknown. Negative: out of memory. */
double ork_branches_of(const struct ork_explored *explored, uint32_t run,
                       const struct ork_alternatives *alternatives);

#endif
