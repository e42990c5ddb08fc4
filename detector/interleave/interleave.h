/* SPDX-License-Identifier: BSD-3-Clause */
/* Exploration of alternative matches: which matches of wildcard receives would deadlock? (Hilbrich
 * et al., SC'12, section VI.A)
 *
 * A program is a linear sequence of steps for each rank: what the rank is known to do. The search
 * makes every match that is certain, decides the others in all ways that MPI-3.1 section 3.5
 * allows, and looks for a state in which no rank can make progress and some ranks wait for each
 * other under strict semantics. After its known steps, a rank may do anything, so no rank that
 * waits for it counts as stuck.
 *
 * Pure: no detector, no MPI, no clock. */
#ifndef ORK_INTERLEAVE_H
#define ORK_INTERLEAVE_H

#include "common/status.h"
#include "wfg/wfg.h"

#include <stdbool.h>
#include <stdint.h>

struct ork_interleave;

#define ORK_INTERLEAVE_NONE UINT32_MAX /* no group, no info, no operation */

/* A send or receive. */
struct ork_interleave_op {
    uint32_t rank;
    uint32_t comm; /* messages match only within it */
    bool is_send;
    bool buffered;  /* send: complete when it is posted */
    bool extract;   /* receive: a matched probe; the release step completes its send */
    uint32_t peer;  /* send: destination; receive: source, or ORK_INTERLEAVE_ANY */
    int32_t tag;    /* receive: may be negative, any */
    uint32_t group; /* receive from any source: the possible sources */
    uint32_t took;  /* wildcard receive: source in the run; ORK_INTERLEAVE_ANY: unknown */
    int32_t took_tag;
    bool may_differ; /* another source than `took` may be tried */
    bool blind;      /* and no later step shows that the rank knew the source */
    bool looked;     /* the program could see the source */
    uint32_t info;   /* chosen by the caller */
};
#define ORK_INTERLEAVE_ANY UINT32_MAX

/* ORK_NOMEM. The building calls do not return errors: the program stores the first error, and
 * ork_interleave_search() returns it. */
enum ork_status ork_interleave_create(uint32_t ranks, struct ork_interleave **out);
/* NULL is allowed. */
void ork_interleave_destroy(struct ork_interleave *p);

/* --- building: the steps of each rank in program order. Numbers count from 0; ORK_INTERLEAVE_NONE
 * after an error --- */

/* Add a set of ranks, which is copied. */
uint32_t ork_interleave_group(struct ork_interleave *p, const uint32_t *rank, uint32_t count);
/* Add a collective call that the ranks of `group` make. is_last: no rank acts after it
 * (MPI_Finalize). */
uint32_t ork_interleave_wave(struct ork_interleave *p, uint32_t group, bool is_last, uint32_t info);

/* Post a send or receive; returns its number. */
uint32_t ork_interleave_post(struct ork_interleave *p, const struct ork_interleave_op *op);
/* To set `took`, `took_tag`, `may_differ` and `blind` when the run shows them later; only before
 * the first search. */
struct ork_interleave_op *ork_interleave_change(struct ork_interleave *p, uint32_t op);
void ork_interleave_arrive(struct ork_interleave *p, uint32_t rank, uint32_t wave);
/* The message of matched probe `op` is received. */
void ork_interleave_release(struct ork_interleave *p, uint32_t op);

enum ork_interleave_mode {
    ORK_INTERLEAVE_ALL,    /* wait until all parts are complete */
    ORK_INTERLEAVE_ANY_OF, /* until one is; the next steps are known if the parts of the run are
                            * complete */
    ORK_INTERLEAVE_SOFT,   /* does not wait: the next steps are known if all parts are complete */
};
struct ork_interleave_part {
    bool is_whole; /* the call is this part and nothing else: it gets no label */
    bool is_wave;
    uint32_t number;
};
/* ANY_OF: the first `took` parts are those that completed in the run. `info`: of the call. */
void ork_interleave_await(struct ork_interleave *p, uint32_t rank, enum ork_interleave_mode mode,
                          const struct ork_interleave_part *part, uint32_t parts, uint32_t took,
                          uint32_t info);
/* Wait for a message that `op` would receive, without taking it. */
void ork_interleave_peek(struct ork_interleave *p, const struct ork_interleave_op *op,
                         uint32_t info);

/* How a rank's known steps end; default: unknown. */
enum ork_interleave_end {
    ORK_INTERLEAVE_UNKNOWN, /* it may do anything */
    ORK_INTERLEAVE_ENDED,   /* it never acts again */
};
void ork_interleave_set_end(struct ork_interleave *p, uint32_t rank, enum ork_interleave_end end);

/* --- searching --- */

struct ork_interleave_options {
    bool no_filter, no_components, no_persistent, no_memo, no_symmetry; /* for measurements */
    /* Stop after about so many steps (see the statistics) of this call; 0: no limit. So a search
     * ends at the same place on every machine. */
    uint64_t max_steps;
    /* Called from time to time: should the search stop? NULL: never. */
    bool (*expired)(void *context);
    void *context;
};

enum ork_interleave_result {
    ORK_INTERLEAVE_SAFE,     /* no way of matching leads to a deadlock */
    ORK_INTERLEAVE_DEADLOCK, /* the current state is the deadlock */
    ORK_INTERLEAVE_STOPPED,  /* undecided; the next call continues the search */
};
/* ORK_NOMEM. No step may be added after the first call. */
enum ork_status ork_interleave_search(struct ork_interleave *p,
                                      const struct ork_interleave_options *options,
                                      enum ork_interleave_result *result);

struct ork_interleave_statistics {
    uint64_t states; /* examined, in all searches */
    uint64_t steps; /* changes of the state, undone ones too, and calls that the filter looked at */
    uint64_t leaves;
    uint32_t components, open_components; /* all, and those that the filter could not decide */
};
struct ork_interleave_statistics ork_interleave_statistics(const struct ork_interleave *p);

/* --- the deadlock --- */

struct ork_interleave_decision {
    uint32_t receive, send; /* operations */
    bool differs;           /* from the run */
};
/* The decisions that lead to the deadlock, in order. Owned by p. */
uint32_t ork_interleave_num_decisions(const struct ork_interleave *p);
struct ork_interleave_decision ork_interleave_decision(const struct ork_interleave *p, uint32_t i);

const struct ork_interleave_op *ork_interleave_op(const struct ork_interleave *p, uint32_t op);
uint32_t ork_interleave_num_ops(const struct ork_interleave *p);

struct ork_interleave_position {
    bool inside; /* inside a call, which has `info` */
    bool ended;  /* it never acts again */
    bool deadlocked;
    uint32_t info;
};
struct ork_interleave_position ork_interleave_position(const struct ork_interleave *p,
                                                       uint32_t rank);

/* The wait-for graph of the deadlock, already searched; the caller owns it. Label n of an arc is
 * operation or wave term[n - 1]. */
struct ork_interleave_term {
    uint32_t rank;
    uint32_t index; /* among the parts of its call; ORK_INTERLEAVE_NONE: the only part */
    bool is_wave;
    uint32_t number;
};
struct ork_interleave_hub {
    bool any;        /* the group of a wildcard receive; otherwise a wave */
    uint32_t number; /* operation or wave */
};
struct ork_interleave_graph {
    struct ork_wfg *wfg;
    struct ork_interleave_term *term;
    uint32_t num_terms;
    struct ork_interleave_hub *hub;
    uint32_t num_hubs;
};
/* May be called once, after ork_interleave_position(). Free with ork_interleave_graph_release(). */
struct ork_interleave_graph ork_interleave_take_graph(struct ork_interleave *p);
void ork_interleave_graph_release(struct ork_interleave_graph *graph);
uint32_t ork_interleave_wave_info(const struct ork_interleave *p, uint32_t wave);

#endif
