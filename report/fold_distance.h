/* SPDX-License-Identifier: BSD-3-Clause */
/* How far the rank that a node waits for is from its own: what ranks of a stencil or ring have in
 * common. */
#ifndef ORK_REPORT_FOLD_DISTANCE_H
#define ORK_REPORT_FOLD_DISTANCE_H

#include "report/arc_index.h"

/* One more than the highest rank of the graph: distances of more than half of it go around. */
uint64_t ork_distance_modulus(const struct ork_graph *graph);

/* Per node, hashes of the distances of its arcs to ranks, and of the ranks themselves; 0 where it
 * has none. Hubs have none. */
void ork_distance_hash(const struct ork_graph *graph, const struct ork_link *link,
                       uint32_t num_links, uint64_t *distance, uint64_t *target);

/* What the nodes of a class have in common. */
struct ork_relation {
    uint32_t node;      /* one of them; its links to ranks are link[0..num_links-1] */
    bool same_distance; /* else: the same ranks */
    bool around;        /* some of them goes around */
};
/* In words: "rank+1", "rank-1 and rank+1", "rank+1 mod 10000", "7"; NULL in *text if they are too
 * many for words. ORK_NOMEM. */
enum ork_status ork_relation_words(const struct ork_graph *graph, const struct ork_link *link,
                                   uint32_t num_links, const struct ork_relation *relation,
                                   char **text);

/* Does this link go around? */
bool ork_distance_is_around(const struct ork_graph *graph, const struct ork_link *link,
                            uint64_t modulus);

#endif
