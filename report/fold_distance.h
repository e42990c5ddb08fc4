/* SPDX-License-Identifier: BSD-3-Clause */
/* The distance from a node's own rank to the rank that it waits for: the common property of ranks
 * in a stencil or ring. */
#ifndef ORK_REPORT_FOLD_DISTANCE_H
#define ORK_REPORT_FOLD_DISTANCE_H

#include "report/arc_index.h"

/* The highest rank of the graph plus one: distances of more than half of it wrap around. */
uint64_t ork_distance_modulus(const struct ork_graph *graph);

/* For each node, hashes of the distances of its arcs to ranks, and of the ranks themselves; 0 if it
 * has none. Hubs have none. */
void ork_distance_hash(const struct ork_graph *graph, const struct ork_link *link,
                       uint32_t num_links, uint64_t *distance, uint64_t *target);

/* The common property of the nodes of a class. */
struct ork_relation {
    uint32_t node;      /* one of them; its links to ranks are link[0..num_links-1] */
    bool same_distance; /* else: the same ranks */
    bool around;        /* some of them wrap around */
};
/* As text: "rank+1", "rank-1 and rank+1", "rank+1 mod 10000", "7"; *text is NULL if they are too
 * many. ORK_NOMEM. */
enum ork_status ork_relation_words(const struct ork_graph *graph, const struct ork_link *link,
                                   uint32_t num_links, const struct ork_relation *relation,
                                   char **text);

/* Does this link wrap around? */
bool ork_distance_is_around(const struct ork_graph *graph, const struct ork_link *link,
                            uint64_t modulus);

#endif
