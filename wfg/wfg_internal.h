/* SPDX-License-Identifier: BSD-3-Clause */
/* Declarations shared by the files of this folder: recorded conditions, the graph in compressed
 * rows, pruning, components, knots. Set ids and node numbers are 32 bits; ORK_NONE is neither. No
 * function here is recursive. */
#ifndef ORK_WFG_INTERNAL_H
#define ORK_WFG_INTERNAL_H

#include "wfg/wfg.h"

#define ORK_NONE UINT32_MAX

/* --- array.c --- */

/* `count` zeroed elements; a count of 0 still returns memory that free() accepts. NULL when out of
 * memory. */
void *ork_array_create(uint64_t count, size_t size);

/* --- build.c: the caller's building calls, in order --- */

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

/* Checked when recorded: numbers are in range, every OPEN has its CLOSE, a condition is exactly one
 * part. */
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

/* Allocate that many nodes and arcs; the caller fills start, to and is_or. ORK_NOMEM leaves nothing
 * to release. */
enum ork_status ork_digraph_init(struct ork_digraph *g, uint32_t num_nodes, uint32_t num_arcs);
void ork_digraph_release(struct ork_digraph *g);
/* Fill pred_start and pred from start and to. */
void ork_digraph_reverse(struct ork_digraph *g);

/* --- transform.c: conditions to nodes (section IV-A of the paper, n-ary, Fig. 6(d)) --- */

struct ork_wfg_graph {
    struct ork_digraph d;
    uint32_t *arc_label; /* parallel to d.to */
    struct ork_wfg_node *node;
};

/* Node numbers: the processes, then the hubs that are referenced, then the terms by process.
 * ORK_NOMEM leaves nothing to release. */
enum ork_status ork_transform(const struct ork_conditions *from, struct ork_wfg_graph *out);
void ork_wfg_graph_release(struct ork_wfg_graph *graph);

/* --- prune.c: release propagation, and the largest subset of a set that supports itself --- */

struct ork_prune {
    uint32_t *set;  /* by node: its set, ORK_NONE for none */
    uint32_t *left; /* by node of the set: number of successors still in the set */
    uint32_t *gone; /* nodes that left the set, in this order */
    uint32_t num_gone;
    uint32_t num_spread; /* number of nodes in `gone` that left[] of their predecessors reflects */
};

enum ork_status ork_prune_init(struct ork_prune *p, uint32_t num_nodes);
void ork_prune_release(struct ork_prune *p);
/* Compute left[] for these nodes, which are all nodes of set `id`. Clears `gone`. */
void ork_prune_count(struct ork_prune *p, const struct ork_digraph *g, uint32_t id,
                     const uint32_t *nodes, uint32_t count);
/* Remove one node from its set. ork_prune_spread() then removes the nodes that cannot stay without
 * it: OR nodes that lose a successor, AND nodes that lose their last one. It stops early and
 * returns false as soon as a node with keep[node] != 0 leaves (keep may be NULL). */
void ork_prune_drop(struct ork_prune *p, uint32_t node);
bool ork_prune_spread(struct ork_prune *p, const struct ork_digraph *g, uint32_t id,
                      const uint8_t *keep);
/* Undo all removals since ork_prune_count() or since num_gone was set to 0. Returns the number of
 * arcs examined. */
uint64_t ork_prune_undo(struct ork_prune *p, const struct ork_digraph *g, uint32_t id);
/* Reduce set `id` to its largest subset in which AND nodes keep a successor and OR nodes keep all.
 * The other nodes belong to no set afterwards; the subset moves to the front of `nodes` in
 * unchanged order. Returns its size. For the set of all nodes, the subset is the nodes that are
 * never released. */
uint32_t ork_prune_restrict(struct ork_prune *p, const struct ork_digraph *g, uint32_t id,
                            uint32_t *nodes, uint32_t count);

/* --- scc.c: strongly connected components (Tarjan 1972) of a set --- */

struct ork_scc {
    uint32_t *number; /* order of discovery from 1; 0: not discovered */
    uint32_t *low;    /* ORK_NONE once the node's component is complete */
    uint32_t *cursor; /* next arc to follow */
    uint32_t *path;
    uint32_t *stack;
    uint32_t *out;
    uint32_t depth, height, num_out, counter;
};

enum ork_status ork_scc_init(struct ork_scc *s, uint32_t num_nodes);
void ork_scc_release(struct ork_scc *s);
/* Split the set node[lo..hi), whose id is `lo`: the nodes are reordered so that each component is
 * contiguous, and a component becomes the set whose id is its own first index. A component comes
 * before those that reach it. */
void ork_scc_split(struct ork_scc *s, const struct ork_digraph *g, uint32_t *set, uint32_t *node,
                   uint32_t lo, uint32_t hi);
/* After a split: the end index of the component that begins at `lo`. */
uint32_t ork_scc_end(const uint32_t *set, const uint32_t *node, uint32_t lo, uint32_t hi);
/* Does no arc of the component node[lo..hi) lead to another set? */
bool ork_scc_is_bottom(const struct ork_digraph *g, const uint32_t *set, const uint32_t *node,
                       uint32_t lo, uint32_t hi);

/* --- knots.c: the OR-knots of a graph --- */

struct ork_knots {
    uint32_t count;
    uint32_t *start; /* members of knot i: node[start[i]] .. node[start[i + 1] - 1], ascending;
                        knots by their first member */
    uint32_t *node;
    uint32_t *of;    /* by node of the graph: its knot, ORK_NONE for none */
    uint32_t *place; /* by member: its index in its knot */
};
struct ork_results {
    bool *dead; /* by node: never released */
    struct ork_knots bottom;
    struct ork_knots maximal;
};

/* All memory is allocated before the computation: ORK_NOMEM leaves nothing to release. */
enum ork_status ork_find_knots(const struct ork_digraph *g, struct ork_results *out);
void ork_results_release(struct ork_results *f);

/* --- core.c --- */

/* Number of arcs that ork_wfg_core() examines without success before it accepts the current result:
 * about a tenth of a second. */
#define ORK_CORE_BUDGET (UINT64_C(1) << 25)

/* The least OR-knot of g, where g itself is an OR-knot: see ork_wfg_core(). */
enum ork_status ork_core_find(const struct ork_digraph *g, uint64_t budget, uint32_t *out,
                              uint32_t *count);

/* --- the handle --- */

struct ork_wfg {
    enum ork_status error; /* the first error of a building call; never reset */
    bool inside;           /* between begin and end */
    bool searched;
    uint32_t process;   /* the process whose condition is being built */
    uint32_t depth;     /* open terms */
    uint32_t num_parts; /* of the condition, at depth 0 */
    struct ork_conditions conditions;
    struct ork_wfg_graph graph; /* empty until the search has succeeded, like the results */
    struct ork_results results;
    uint32_t num_deadlocked;
};

#endif
