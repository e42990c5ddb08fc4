/* SPDX-License-Identifier: BSD-3-Clause */
/* What is drawn of a finding's graph: boxes and lines with small numbers, equal ranks folded, arcs
 * to nowhere dropped.
 *
 * Folding (only with more than ORK_FOLD_RANKS ranks) is done in two steps. Twins: ranks with the
 * same words and flags whose partners are the same nodes (or the same but for each other). If that
 * leaves more than ORK_FOLD_BOXES boxes, classes instead: nodes start equal if words and flags are,
 * and are told apart by the classes of their partners (colour refinement), for as long as there are
 * no more than ORK_FOLD_BOXES classes. A ring of 10,000 ranks becomes one box with an arc to
 * itself. */
#ifndef ORK_DRAWING_H
#define ORK_DRAWING_H

#include "viz/report.h"

#include <stdio.h>

#define ORK_FOLD_RANKS 8u
#define ORK_FOLD_BOXES 64u

struct ork_box {
    const struct ork_graph_node *node; /* the first of those folded here; the report's */
    const uint32_t *rank; /* of the ranks or the terms' owners, ascending, no doubles */
    uint32_t num_ranks;
    uint32_t folded; /* nodes in it */
};

struct ork_line {
    uint32_t from; /* boxes */
    uint32_t to;
    const char *label; /* the report's; NULL: none, or too many different ones */
};

struct ork_drawing {
    struct ork_box *box; /* in the order of the report's nodes */
    uint32_t num_boxes;
    struct ork_line *line; /* by from, to, label; no doubles */
    uint32_t num_lines;
    uint32_t left_out_boxes; /* by ork_drawing_limit() */
    uint32_t left_out_lines;
    uint32_t *rank; /* storage of the boxes' ranks */
};

/* The graph must outlive *drawing, which the caller releases. ORK_NOMEM leaves nothing to release.
 */
enum ork_status ork_drawing_init(struct ork_drawing *drawing, const struct ork_graph *graph);
void ork_drawing_release(struct ork_drawing *drawing);

/* Keep at most so many boxes (those of the core first, then of roots, then deadlocked ones) and
 * lines. ORK_NOMEM: unchanged. */
enum ork_status ork_drawing_limit(struct ork_drawing *drawing, uint32_t boxes, uint32_t lines);

/* The drawing in DOT. */
void ork_drawing_put_dot(const struct ork_drawing *drawing, const char *name, FILE *out);

#endif
