/* SPDX-License-Identifier: BSD-3-Clause */
/* The drawn form of a finding's graph: folded if it is large (fold.h), arcs as pairs of indices,
 * without arcs to missing nodes, and limited to what is readable and what dot can lay out. */
#ifndef ORK_VIZ_DRAWING_H
#define ORK_VIZ_DRAWING_H

#include "report/arc_index.h"
#include "report/report.h"

#include <stdio.h>

struct ork_drawing {
    const struct ork_graph_node **node; /* in the order of the graph */
    uint32_t num_nodes;
    struct ork_link *line; /* by from, to, label; no duplicates */
    uint32_t num_lines;
    uint32_t left_out_nodes; /* by ork_drawing_limit() */
    uint32_t left_out_lines;
    struct ork_graph folded; /* empty: not needed */
};

/* The graph must outlive *drawing, which the caller releases. ORK_NOMEM leaves nothing to
 * release. */
enum ork_status ork_drawing_init(struct ork_drawing *drawing, const struct ork_graph *graph);
void ork_drawing_release(struct ork_drawing *drawing);

/* Keep at most this many nodes (those of the core first, then of roots, then deadlocked ones) and
 * lines. ORK_NOMEM: unchanged. */
enum ork_status ork_drawing_limit(struct ork_drawing *drawing, uint32_t nodes, uint32_t lines);

/* As ork_drawing_init() and ork_drawing_limit(), limited to what dot lays out in a second. */
enum ork_status ork_drawing_init_limited(struct ork_drawing *drawing,
                                         const struct ork_graph *graph);

/* Drawing, limited, and DOT of a finding. *drawing and *text are the caller's. ORK_NOTFOUND:
 * nothing to draw; ORK_NOMEM. */
enum ork_status ork_drawing_dot(const struct ork_finding *finding, struct ork_drawing *drawing,
                                char **text);

#endif
