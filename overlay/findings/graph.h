/* SPDX-License-Identifier: BSD-3-Clause */
/* The wait-for graph of a search as it is drawn: only the deadlocked part, with texts. */
#ifndef ORK_OVERLAY_FINDINGS_GRAPH_H
#define ORK_OVERLAY_FINDINGS_GRAPH_H

#include "detector/detector.h"
#include "overlay/findings/call_sites.h"
#include "report/report.h"

/* The part of the graph with marked nodes, folded if it is large; mark has an entry for each node.
 * *graph is the caller's. ORK_NOMEM. */
enum ork_status ork_finding_graph_make(const struct ork_detector *d, struct ork_call_sites *sites,
                                       const struct ork_search *search, const bool *mark,
                                       struct ork_graph *graph);

/* Is the term with this label part of the graph (not satisfied)? */
bool ork_finding_graph_is_open(const struct ork_search *search, uint32_t label);

/* "request[1]: MPI_Irecv from MPI_ANY_SOURCE, tag 3 on grid (a.c:12)", of the term with this label:
 * what was started where. The caller's; NULL: out of memory. */
char *ork_finding_graph_term_words(const struct ork_detector *d, struct ork_call_sites *sites,
                                   const struct ork_search *search, uint32_t label);
/* "send to 1, tag 3", "receive from 2, tag 3 (done)": half of an MPI_Sendrecv. As above. */
char *ork_finding_graph_half_words(const struct ork_detector *d, const struct ork_search *search,
                                   uint32_t label);

#endif
