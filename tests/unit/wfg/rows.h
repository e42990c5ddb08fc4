/* SPDX-License-Identifier: BSD-3-Clause */
/* A digraph from text, for what works below conditions: "&1 2; |0; &" are the nodes 0, 1, 2 with
 * their kinds and arcs. */
#ifndef ORK_TEST_WFG_ROWS_H
#define ORK_TEST_WFG_ROWS_H

#include "wfg/wfg_internal.h"

/* To be given back with ork_digraph_release(). */
void rows_init(struct ork_digraph *g, const char *text);

#endif
