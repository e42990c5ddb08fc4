/* SPDX-License-Identifier: BSD-3-Clause */
/* The arcs of a graph between indices of its nodes. */
#ifndef ORK_REPORT_ARC_INDEX_H
#define ORK_REPORT_ARC_INDEX_H

#include "report/report.h"

struct ork_link {
    uint32_t from;
    uint32_t to;
    const char *label; /* the graph's; NULL: none, or too many different ones */
};

/* Arcs with an end that is no node are dropped; if nodes have the same id, the first counts. *link
 * is the caller's, never NULL. ORK_NOMEM. */
enum ork_status ork_arc_index_make(const struct ork_graph *graph, struct ork_link **link,
                                   uint32_t *num_links);

/* Sort; between two nodes keep one arc for each label, or one without label if there are too many.
 * Returns how many remain. */
uint32_t ork_arc_index_tidy(struct ork_link *link, uint32_t num_links);

#endif
