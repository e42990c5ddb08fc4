/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait-for graph of a search as it is drawn: only the deadlocked part, with texts. */
#ifndef ORK_OVERLAY_FINDINGS_GRAPH_H
#define ORK_OVERLAY_FINDINGS_GRAPH_H

#include "detector/detector.h"
#include "overlay/findings/writing.h"
#include "report/report.h"

/* The part of the graph with marked nodes, folded if it is large; mark has an entry for each node.
 * *graph, which is empty, is the finding's. */
void ork_finding_graph_make(struct ork_writing *w, const struct ork_search *search,
                            const bool *mark, struct ork_graph *graph);

/* Is the term with this label part of the graph (not satisfied)? */
bool ork_finding_graph_is_open(const struct ork_search *search, uint32_t label);

/* "request[1]: MPI_Irecv from MPI_ANY_SOURCE, tag 3 on grid (a.c:12)", of the term with this label:
 * what was started where. */
const char *ork_finding_graph_term(struct ork_writing *w, const struct ork_search *search,
                                   uint32_t label);
/* "send to 1, tag 3", "receive from 2, tag 3 (done)": half of an MPI_Sendrecv. */
const char *ork_finding_graph_half(struct ork_writing *w, const struct ork_search *search,
                                   uint32_t label);

#endif
