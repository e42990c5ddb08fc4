/* SPDX-License-Identifier: BSD-3-Clause */
/* Which nodes of a graph are equal for a reader. See drawing.h for the rules. */
#ifndef ORK_FOLD_H
#define ORK_FOLD_H

#include "viz/report.h"

/* An arc between node indices. */
struct ork_link {
    uint32_t from;
    uint32_t to;
    const char *label;
};

/* class_[i], for each node, becomes the number of its class, numbered from 0 in the order of their
 * first nodes. ORK_NOMEM: class_ is undefined. */
enum ork_status ork_fold(const struct ork_graph *graph, const struct ork_link *link,
                         uint32_t num_links, uint32_t *class_, uint32_t *num_classes);

#endif
