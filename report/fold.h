/* SPDX-License-Identifier: BSD-3-Clause */
/* Folds a graph that is too large to read: equal nodes become one.
 *
 * Two nodes are equal if they have the same properties (call, place, communicator, AND or OR, part
 * of a knot or not) and wait for the same nodes up to this folding: a partition refinement. Ranks
 * that wait for a rank at the same distance count as having the same properties, so that a ring of
 * 10,000 ranks is one node ("MPI_Recv from rank+1") that waits for itself, and neighbours that wait
 * for each other in pairs are two. If a distinction leaves too many nodes, it is dropped, the least
 * significant one first. */
#ifndef ORK_REPORT_FOLD_H
#define ORK_REPORT_FOLD_H

#include "report/report.h"

/* A graph of this size is easy to read. Folding leaves no more nodes. */
#define ORK_FOLD_NODES 40u
#define ORK_FOLD_ARCS  160u

/* Of ranks with the same properties that wait for the same rank, or for one at the same distance,
 * this many are drawn one by one. */
#define ORK_FOLD_ALIKE 12u

/* Is it small enough, or folded already? */
bool ork_graph_is_readable(const struct ork_graph *graph);

/* Would folding merge more than ORK_FOLD_ALIKE similar ranks? ORK_NOMEM. */
enum ork_status ork_graph_is_repetitive(const struct ork_graph *graph, bool *repetitive);

/* *out is the caller's (ork_graph_release()); arcs of `graph` without a target node are dropped.
 * After ORK_NOMEM there is nothing to release. */
enum ork_status ork_graph_fold(const struct ork_graph *graph, struct ork_graph *out);

#endif
