/* SPDX-License-Identifier: BSD-3-Clause */
/* A graph that is too large to be read, with its equal nodes as one each.
 *
 * Two nodes are equal if they say the same (call, place, communicator, AND or OR, part of a knot or
 * not) and wait for the same nodes up to this folding: a partition refinement. Ranks that wait for
 * a rank at the same distance count as saying the same, so that a ring of 10,000 ranks is one node
 * ("MPI_Recv from rank+1") that waits for itself, and neighbours that wait for each other in pairs
 * are two. Where a distinction leaves too many nodes, it is given up, the least telling one first.
 */
#ifndef ORK_REPORT_FOLD_H
#define ORK_REPORT_FOLD_H

#include "report/report.h"

/* What is read without effort. No more nodes than that are left by folding. */
#define ORK_FOLD_NODES 40u
#define ORK_FOLD_ARCS  160u

/* Of ranks that say the same and wait for the same rank, or for one at the same distance, this many
 * are drawn one by one. */
#define ORK_FOLD_ALIKE 12u

/* Not too large, or folded already. */
bool ork_graph_is_readable(const struct ork_graph *graph);

/* Would folding spare the reader more than ORK_FOLD_ALIKE ranks alike? ORK_NOMEM. */
enum ork_status ork_graph_is_repetitive(const struct ork_graph *graph, bool *repetitive);

/* *out is the caller's (ork_graph_release()); arcs of `graph` to nowhere are dropped. ORK_NOMEM
 * leaves nothing. */
enum ork_status ork_graph_fold(const struct ork_graph *graph, struct ork_graph *out);

#endif
