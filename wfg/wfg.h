/* SPDX-License-Identifier: BSD-3-Clause */
/* AND(+)OR wait-for graph and its search for OR-knots (Hilbrich et al., "MPI runtime error
 * detection with MUST", SC12, section IV, here with n-ary terms and shared hubs). Pure: no MPI, no
 * I/O, no globals, no clock.
 *
 * A node is a process, a term (part of a process's wait-for condition) or a hub (a condition shared
 * by many processes). A process without a condition is released (it can act). A condition is built
 * as a nested expression:
 *
 *     ork_wfg_begin(g, 0);                     process 0 waits for
 *     ork_wfg_open(g, ORK_WFG_AND, 0);           all of
 *     ork_wfg_open(g, ORK_WFG_OR, label);          request[0]: one of
 *     ork_wfg_atom(g, 1, 0); ork_wfg_atom(g, 2, 0);  process 1, process 2
 *     ork_wfg_close(g);
 *     ork_wfg_atom(g, 3, label2);                  request[1]: process 3
 *     ork_wfg_close(g);
 *     ork_wfg_end(g);
 *
 * An OR without members is never satisfied (a self-loop of the process); an AND without members is
 * always satisfied.
 *
 * No call reports an error of its own, and none crashes: the first failure stays with the graph,
 * later calls do nothing, and ork_wfg_search() returns it. */
#ifndef ORK_WFG_H
#define ORK_WFG_H

#include "common/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct ork_wfg;

enum ork_wfg_op { ORK_WFG_AND, ORK_WFG_OR };
enum ork_wfg_kind { ORK_WFG_PROCESS, ORK_WFG_TERM, ORK_WFG_HUB };

/* Create a graph of `nprocs` released processes, nodes 0..nprocs-1. The caller owns *out and frees
 * it with ork_wfg_destroy(). ORK_NOMEM leaves *out unchanged. */
enum ork_status ork_wfg_create(uint32_t nprocs, struct ork_wfg **out);
/* NULL is allowed. */
void ork_wfg_destroy(struct ork_wfg *wfg);

/* Hubs: conditions that many processes refer to (one arc each). Members are processes, added at any
 * time before the search, in any order; duplicates are allowed. Returns the hub's number, from 0;
 * UINT32_MAX after a failure. A hub that no condition refers to does not become a node. */
uint32_t ork_wfg_add_hub(struct ork_wfg *wfg, enum ork_wfg_op op, uint32_t label);
void ork_wfg_add_member(struct ork_wfg *wfg, uint32_t hub, uint32_t process);

/* Conditions. Each process at most once, one at a time, with exactly one part between begin and
 * end: a term, an atom, a hub or true. Terms may be nested to any depth. Labels are the caller's
 * numbers, 0 for none; nodes and arcs have them in the result:
 *   - the outermost term is the process itself, which has its label;
 *   - a term with two or more arcs is a node with its label; without a label, inside a term of the
 *     same kind, it is merged into that;
 *   - a term with one arc is removed, and that arc gets its label (or keeps its own, if the term
 *     had none); an empty OR is an arc to the process itself with the label of the OR;
 *   - several arcs from a node to the same node become one, with the first label that is not 0. */
void ork_wfg_begin(struct ork_wfg *wfg, uint32_t process);
void ork_wfg_open(struct ork_wfg *wfg, enum ork_wfg_op op, uint32_t label);
void ork_wfg_atom(struct ork_wfg *wfg, uint32_t process, uint32_t label);
void ork_wfg_hub(struct ork_wfg *wfg, uint32_t hub, uint32_t label);
/* A satisfied part: no effect in an AND, satisfies an OR. */
void ork_wfg_true(struct ork_wfg *wfg);
void ork_wfg_close(struct ork_wfg *wfg);
void ork_wfg_end(struct ork_wfg *wfg);

/* The process ended and will never act again: a self-loop. To be called instead of a condition. */
void ork_wfg_set_done(struct ork_wfg *wfg, uint32_t process);

/* Finish building and compute all results below, in one step that cannot fail halfway. ORK_NOMEM
 * (now or in any call above) or ORK_INVALID (calls above out of order, numbers out of range, a
 * second search): no result, and no conclusion is valid. Call once; building calls have no effect
 * afterwards. Linear in the building calls; only contrived graphs with very many nested knots take
 * nodes times arcs. */
enum ork_status ork_wfg_search(struct ork_wfg *wfg);

/* --- results, after ORK_OK; before, and for numbers out of range, they are all empty --- */

/* Release propagation did not release this process: it can never act again. */
bool ork_wfg_is_deadlocked(const struct ork_wfg *wfg, uint32_t node);
/* Only processes, including those that have ended. */
uint32_t ork_wfg_num_deadlocked(const struct ork_wfg *wfg);

/* Knots: sets of nodes. `bottom` OR-knots are the roots of the deadlock; `maximal` ones are all
 * inclusion-maximal OR-knots, pairwise disjoint, each bottom knot one of them. Every knot has a
 * process in it. Members are ascending node numbers, owned by the graph; knots are in the order of
 * their first members. */
struct ork_wfg_knot {
    const uint32_t *node;
    uint32_t count;
    bool bottom; /* a maximal knot: the same set is also a bottom knot */
};
uint32_t ork_wfg_num_bottom(const struct ork_wfg *wfg);
struct ork_wfg_knot ork_wfg_bottom(const struct ork_wfg *wfg, uint32_t i);
uint32_t ork_wfg_num_maximal(const struct ork_wfg *wfg);
struct ork_wfg_knot ork_wfg_maximal(const struct ork_wfg *wfg, uint32_t i);

/* An inclusion-minimal OR-knot inside bottom knot i: nodes are removed one by one from the highest
 * number (terms, then hubs, then processes), each unless every remaining OR-knot needs it. Writes
 * *count ascending nodes to out, which has room for the knot's count. Memory and time are
 * proportional to the size of the knot. A search that has examined tens of millions of arcs without
 * success (only possible in unusual knots of thousands of nodes) stops with an OR-knot that may not
 * be minimal. ORK_NOMEM, or ORK_INVALID if there is no such knot: nothing is written. */
enum ork_status ork_wfg_core(const struct ork_wfg *wfg, uint32_t i, uint32_t *out, uint32_t *count);

/* --- the graph itself, after ORK_OK, for drawing --- */

/* Processes, then hubs in the order they were added, then terms by process, from the outside in. */
uint32_t ork_wfg_num_nodes(const struct ork_wfg *wfg);
struct ork_wfg_node {
    enum ork_wfg_kind kind;
    enum ork_wfg_op op; /* AND if there are fewer than two arcs */
    uint32_t process;   /* owner of a term; own number of a process; hub number of a hub */
    uint32_t label;
};
struct ork_wfg_node ork_wfg_node(const struct ork_wfg *wfg, uint32_t node);
uint32_t ork_wfg_num_arcs(const struct ork_wfg *wfg, uint32_t node);
struct ork_wfg_arc {
    uint32_t to;
    uint32_t label; /* of the term that was removed here, or of the atom or hub */
};
struct ork_wfg_arc ork_wfg_arc(const struct ork_wfg *wfg, uint32_t node, uint32_t i);

#endif
