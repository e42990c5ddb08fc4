/* SPDX-License-Identifier: BSD-3-Clause */
/* OR-knots by their definition: all subsets of a small graph, as bit masks with one bit a node. */
#ifndef ORK_TEST_WFG_BRUTE_H
#define ORK_TEST_WFG_BRUTE_H

#include "wfg/wfg.h"

enum { BRUTE_NODES = 16 };

struct brute {
    uint32_t num_nodes;
    uint32_t succ[BRUTE_NODES];
    uint32_t pred[BRUTE_NODES];
    bool is_or[BRUTE_NODES];
    uint32_t dead; /* nodes that release propagation never reaches, by repeated evaluation */
    uint32_t num_knots;
    uint32_t knot[1U << BRUTE_NODES]; /* ascending */
};

/* Read the searched graph, which has at most BRUTE_NODES nodes, and compute everything. */
void brute_init(struct brute *b, const struct ork_wfg *wfg);
bool brute_is_knot(const struct brute *b, uint32_t mask);
uint32_t brute_mask(struct ork_wfg_knot knot);

/* NULL if all that the search says of the graph agrees with the definition, else what does not. */
const char *brute_compare(const struct brute *b, const struct ork_wfg *wfg);

#endif
