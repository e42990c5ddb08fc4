/* SPDX-License-Identifier: BSD-3-Clause */
/* What the files of this folder share: recorded conditions, the graph in compressed rows, pruning,
 * components, knots. Set ids and node numbers are 32 bits; ORK_NONE is neither. Nothing here
 * recurses. */
#ifndef ORK_WFG_INTERNAL_H
#define ORK_WFG_INTERNAL_H

#include "wfg/wfg.h"

#define ORK_NONE UINT32_MAX

/* --- array.c --- */

/* `count` zeroed elements; a count of 0 still gives memory to free(). NULL when out of memory. */
void *ork_array_create(uint64_t count, size_t size);

/* Room for one element more in an array of `count` elements: `array` itself, or a larger copy that
 * replaces it. NULL when out of memory or numbers; the array is then as it was. */
void *ork_array_grow(void *array, uint32_t count, uint32_t *capacity, size_t size);

/* --- build.c: what the caller said, in order --- */

enum ork_token_kind {
    ORK_TOKEN_BEGIN, /* value: process */
    ORK_TOKEN_OPEN,  /* value: enum ork_wfg_op */
    ORK_TOKEN_ATOM,  /* value: process */
    ORK_TOKEN_HUB,   /* value: hub */
    ORK_TOKEN_TRUE,
    ORK_TOKEN_CLOSE,
};
struct ork_token {
    enum ork_token_kind kind;
    uint32_t value;
    uint32_t label;
};
struct ork_hub {
    enum ork_wfg_op op;
    uint32_t label;
};
struct ork_member {
    uint32_t hub;
    uint32_t process;
};
enum ork_process_state { ORK_PROCESS_FREE, ORK_PROCESS_WAITS, ORK_PROCESS_DONE };

/* Checked when it was recorded: numbers are in range, every OPEN has its CLOSE, a condition is
 * exactly one part. */
struct ork_conditions {
    uint32_t num_processes;
    uint8_t *state; /* enum ork_process_state of each process */
    struct ork_token *token;
    uint32_t num_tokens;
    uint32_t token_capacity;
    struct ork_hub *hub;
    uint32_t num_hubs;
    uint32_t hub_capacity;
    struct ork_member *member;
    uint32_t num_members;
    uint32_t member_capacity;
    uint32_t num_open; /* OPEN tokens */
    uint32_t max_depth;
};

void ork_conditions_release(struct ork_conditions *conditions);

/* --- digraph.c: arcs by source and by target --- */

struct ork_digraph {
    uint32_t num_nodes;
    uint32_t *start; /* num_nodes + 1; the arcs of v lead to to[start[v]] .. to[start[v + 1] - 1],
                        each target once */
    uint32_t *to;
    uint32_t *pred_start; /* the same for the arcs into v */
    uint32_t *pred;
    bool *is_or; /* v is released by any successor; otherwise by all */
};

/* Room for that many nodes and arcs; the caller fills start, to and is_or. ORK_NOMEM leaves nothing
 * to release. */
enum ork_status ork_digraph_init(struct ork_digraph *g, uint32_t num_nodes, uint32_t num_arcs);
void ork_digraph_release(struct ork_digraph *g);
/* Fill pred_start and pred from start and to. */
void ork_digraph_reverse(struct ork_digraph *g);

/* --- transform.c: conditions to nodes (section IV-A of the paper, n-ary, Fig. 6(d)) --- */

struct ork_wfg_graph {
    struct ork_digraph d;
    uint32_t *arc_label; /* beside d.to */
    struct ork_wfg_node *node;
};

/* Node numbers: the processes, then the hubs that are referenced, then the terms by process.
 * ORK_NOMEM leaves nothing to release. */
enum ork_status ork_transform(const struct ork_conditions *from, struct ork_wfg_graph *out);
void ork_wfg_graph_release(struct ork_wfg_graph *graph);

/* --- prune.c: release propagation, and with it what of a set supports itself --- */

struct ork_prune {
    uint32_t *set;  /* of each node the set it is in, ORK_NONE for none */
    uint32_t *left; /* of each node in the set: successors that are still in the set */
    uint32_t *gone; /* nodes that left the set, in this order */
    uint32_t num_gone;
    uint32_t num_spread; /* so many of `gone` have told their predecessors */
};

enum ork_status ork_prune_init(struct ork_prune *p, uint32_t num_nodes);
void ork_prune_release(struct ork_prune *p);
/* Compute left[] of these nodes, which are all of set `id`; forgets `gone`. */
void ork_prune_count(struct ork_prune *p, const struct ork_digraph *g, uint32_t id,
                     const uint32_t *nodes, uint32_t count);
/* Take one node out of its set; ork_prune_spread() then takes what cannot stay without it: OR nodes
 * that lose a successor, AND nodes that lose their last one. Returns false, half-way, as soon as a
 * node with keep[node] != 0 leaves (keep may be NULL). */
void ork_prune_drop(struct ork_prune *p, uint32_t node);
bool ork_prune_spread(struct ork_prune *p, const struct ork_digraph *g, uint32_t id,
                      const uint8_t *keep);
/* Put back everything since ork_prune_count() or since num_gone was set to 0. Returns the arcs
 * looked at. */
uint64_t ork_prune_undo(struct ork_prune *p, const struct ork_digraph *g, uint32_t id);
/* Reduce set `id` to its largest subset in which AND nodes keep a successor and OR nodes all. The
 * rest moves to no set; the subset moves to the front of `nodes` in unchanged order. Returns its
 * size. On all nodes: those that are never released. */
uint32_t ork_prune_restrict(struct ork_prune *p, const struct ork_digraph *g, uint32_t id,
                            uint32_t *nodes, uint32_t count);

/* --- scc.c: strongly connected components (Tarjan 1972) of a set --- */

struct ork_scc {
    uint32_t *number; /* order of discovery from 1; 0: not yet */
    uint32_t *low;    /* ORK_NONE once the node's component is complete */
    uint32_t *cursor; /* next arc to look at */
    uint32_t *path;
    uint32_t *stack;
    uint32_t *out;
    uint32_t depth, height, num_out, counter;
};

enum ork_status ork_scc_init(struct ork_scc *s, uint32_t num_nodes);
void ork_scc_release(struct ork_scc *s);
/* Split the set node[lo..hi), whose id is `lo`: the nodes are reordered so that each component
 * stands together, and a component becomes the set whose id is its own first index. A component
 * stands before those that reach it. */
void ork_scc_split(struct ork_scc *s, const struct ork_digraph *g, uint32_t *set, uint32_t *node,
                   uint32_t lo, uint32_t hi);
/* After a split: the index behind the component that begins at `lo`. */
uint32_t ork_scc_end(const uint32_t *set, const uint32_t *node, uint32_t lo, uint32_t hi);
/* No arc of the component node[lo..hi) leads to another set. */
bool ork_scc_is_bottom(const struct ork_digraph *g, const uint32_t *set, const uint32_t *node,
                       uint32_t lo, uint32_t hi);

/* --- knots.c: the OR-knots of a graph --- */

struct ork_knots {
    uint32_t count;
    uint32_t *start; /* members of knot i: node[start[i]] .. node[start[i + 1] - 1], ascending;
                        knots by their first member */
    uint32_t *node;
    uint32_t *of;    /* the knot of each node of the graph, ORK_NONE for none */
    uint32_t *place; /* of a member: its index in its knot */
};
struct ork_results {
    bool *dead; /* of each node: never released */
    struct ork_knots bottom;
    struct ork_knots maximal;
};

/* All memory is taken before anything is computed: ORK_NOMEM leaves nothing to release. */
enum ork_status ork_find_knots(const struct ork_digraph *g, struct ork_results *out);
void ork_results_release(struct ork_results *f);

/* --- core.c --- */

/* How many arcs ork_wfg_core() looks at in vain before it is content with what it has: a tenth of a
 * second or so. */
#define ORK_CORE_BUDGET (UINT64_C(1) << 25)

/* The least OR-knot of g, which is itself one: see ork_wfg_core(). */
enum ork_status ork_core_find(const struct ork_digraph *g, uint64_t budget, uint32_t *out,
                              uint32_t *count);

/* --- the handle --- */

struct ork_wfg {
    enum ork_status error; /* the first one of a building call; it stays */
    bool inside;           /* between begin and end */
    bool searched;
    uint32_t process;   /* whose condition is being built */
    uint32_t depth;     /* open terms */
    uint32_t num_parts; /* of the condition, at depth 0 */
    struct ork_conditions conditions;
    struct ork_wfg_graph graph; /* empty until the search has succeeded, as are the results */
    struct ork_results results;
    uint32_t num_deadlocked;
};

#endif
