/* SPDX-License-Identifier: BSD-3-Clause */
/* Which nodes of a graph are equal for a reader. fold.h defines what counts. */
#ifndef ORK_REPORT_FOLD_CLASSES_H
#define ORK_REPORT_FOLD_CLASSES_H

#include "report/arc_index.h"

/* Upper limits of a folded graph. */
struct ork_fold_limits {
    uint32_t nodes;
    uint32_t twin_arcs;  /* if folding loses nothing */
    uint32_t class_arcs; /* if it does: a summary must be easy to read */
};

/* The greatest number of ranks with the same properties that wait for the same ranks, or for ranks
 * at the same distances. ORK_NOMEM. */
enum ork_status ork_fold_count_alike(const struct ork_graph *graph, const struct ork_link *link,
                                     uint32_t num_links, uint32_t *count);

/* class_[i], for each node, becomes the number of its class, from 0 in the order of their first
 * nodes. They keep to the limits unless nodes differ too much in kind or in being part of a knot.
 * ORK_NOMEM: class_ is undefined. */
enum ork_status ork_fold_classes(const struct ork_graph *graph, const struct ork_link *link,
                                 uint32_t num_links, const struct ork_fold_limits *limits,
                                 uint32_t *class_, uint32_t *num_classes);

#endif
