/* SPDX-License-Identifier: BSD-3-Clause */
/* Wait-for graphs as text, so that a test shows its graph. */
#ifndef ORK_TEST_WFG_TEXT_H
#define ORK_TEST_WFG_TEXT_H

#include "wfg/wfg.h"

/* Build what `text` says, statements separated by ';', without searching:
 *     #|7 0 1 2             an OR hub (#& an AND hub) with label 7 and these members
 *     0 &(|7(1 2) 3:8 T)    process 0 waits for ...: & AND, | OR, followed by a label or not; 3
 * process 3, #0 hub 0, both with a label behind ':' or not; T a part that is satisfied 2 done The
 * caller owns the graph. */
struct ork_wfg *text_build(uint32_t nprocs, const char *text);

/* As text_build(), and search, which must succeed. */
struct ork_wfg *text_search(uint32_t nprocs, const char *text);

/* The graph as text, a statement for each node, in static memory until the next call: "P0&4:8 5;
 * T4(0)[7]|1 2; ...": P process, T(owner) term, H(number) hub; [label]; operator; arcs with their
 * labels. */
const char *text_graph(const struct ork_wfg *wfg);

/* "0 1 2" for nodes, "{0 1} {2}" for knots, a '*' behind a maximal knot that is a bottom one.
 * Static memory, as above. */
const char *text_dead(const struct ork_wfg *wfg);
const char *text_bottom(const struct ork_wfg *wfg);
const char *text_maximal(const struct ork_wfg *wfg);
const char *text_core(const struct ork_wfg *wfg, uint32_t i);

#endif
