/* SPDX-License-Identifier: BSD-3-Clause */
/* Exploring alternative matches: which matches of wildcard receives would deadlock? (Hilbrich et
 * al., SC'12, section VI.A)
 *
 * A program is what each rank is known to do, a straight line of steps. The search makes every
 * match that is certain, decides the others in all ways that MPI-3.1 section 3.5 allows, and looks
 * for a state in which nothing moves and some ranks wait for each other under strict semantics. A
 * rank that comes to the end of what is known of it may do anything: nobody waits for it in vain.
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
    uint32_t comm; /* messages stay within it */
    bool is_send;
    bool buffered;  /* send: complete when it is posted */
    bool extract;   /* receive: a matched probe; its send is complete at the release step only */
    uint32_t peer;  /* send: destination; receive: source, or ORK_INTERLEAVE_ANY */
    int32_t tag;    /* receive: may be negative, any */
    uint32_t group; /* receive from any source: whom it may wait for */
    uint32_t took; /* wildcard receive: the source that the run told; ORK_INTERLEAVE_ANY: nothing */
    int32_t took_tag;
    bool may_differ; /* another source than `took` may be tried */
    bool blind;      /* and what the rank did after it does not show that it knew the source */
    bool looked;     /* the program could see the source */
    uint32_t info;   /* the caller's */
};
#define ORK_INTERLEAVE_ANY UINT32_MAX

/* ORK_NOMEM. No building call reports an error of its own: the first one stays with the program,
 * and ork_interleave_search() returns it. */
enum ork_status ork_interleave_create(uint32_t ranks, struct ork_interleave **out);
/* NULL is allowed. */
void ork_interleave_destroy(struct ork_interleave *p);

/* --- building; all of a rank's steps in its order. Numbers count from 0; ORK_INTERLEAVE_NONE after
 * an error --- */

/* A set of ranks; copied. */
uint32_t ork_interleave_group(struct ork_interleave *p, const uint32_t *rank, uint32_t count);
/* A collective call that the ranks of `group` make. is_last: nobody does anything after it
 * (MPI_Finalize). */
uint32_t ork_interleave_wave(struct ork_interleave *p, uint32_t group, bool is_last, uint32_t info);

/* Post a send or receive; its number. */
uint32_t ork_interleave_post(struct ork_interleave *p, const struct ork_interleave_op *op);
/* To say what the run told of it later, before the first search: `took`, `took_tag`, `may_differ`,
 * `blind`. */
struct ork_interleave_op *ork_interleave_change(struct ork_interleave *p, uint32_t op);
void ork_interleave_arrive(struct ork_interleave *p, uint32_t rank, uint32_t wave);
/* The message of matched probe `op` is received. */
void ork_interleave_release(struct ork_interleave *p, uint32_t op);

enum ork_interleave_mode {
    ORK_INTERLEAVE_ALL,    /* wait until all parts are complete */
    ORK_INTERLEAVE_ANY_OF, /* until one is; the next steps are known if those are that the run told
                            */
    ORK_INTERLEAVE_SOFT,   /* does not wait: the next steps are known if all parts are complete */
};
struct ork_interleave_part {
    bool is_whole; /* the call is this part and nothing else: it gets no label */
    bool is_wave;
    uint32_t number;
};
/* ANY_OF: the first `took` parts are those that the run told. `info`: of the call. */
void ork_interleave_await(struct ork_interleave *p, uint32_t rank, enum ork_interleave_mode mode,
                          const struct ork_interleave_part *part, uint32_t parts, uint32_t took,
                          uint32_t info);
/* Wait for a message, as `op` would receive it, without taking it. */
void ork_interleave_peek(struct ork_interleave *p, const struct ork_interleave_op *op,
                         uint32_t info);

/* How a rank's known steps end; default: unknown. */
enum ork_interleave_end {
    ORK_INTERLEAVE_UNKNOWN, /* it may do anything */
    ORK_INTERLEAVE_ENDED,   /* it does nothing any more */
};
void ork_interleave_set_end(struct ork_interleave *p, uint32_t rank, enum ork_interleave_end end);

/* --- searching --- */

struct ork_interleave_options {
    bool no_filter, no_components, no_persistent, no_memo, no_symmetry; /* for measurements */
    /* Asked now and then: stop? NULL: never. */
    bool (*expired)(void *context);
    void *context;
};

enum ork_interleave_result {
    ORK_INTERLEAVE_SAFE,     /* no way of matching deadlocks */
    ORK_INTERLEAVE_DEADLOCK, /* the state is that of the deadlock */
    ORK_INTERLEAVE_STOPPED,  /* not decided; call again to go on: what was searched is remembered */
};
/* ORK_NOMEM. No step may be added after the first call. */
enum ork_status ork_interleave_search(struct ork_interleave *p,
                                      const struct ork_interleave_options *options,
                                      enum ork_interleave_result *result);

struct ork_interleave_statistics {
    uint64_t states; /* looked at, in all searches */
    uint64_t leaves;
    uint32_t components, open_components; /* those that the filter could not settle */
};
struct ork_interleave_statistics ork_interleave_statistics(const struct ork_interleave *p);

/* --- the deadlock --- */

struct ork_interleave_decision {
    uint32_t receive, send; /* operations */
    bool differs;           /* from what the run told */
};
/* Those of the deadlock, in order. Owned by p. */
uint32_t ork_interleave_num_decisions(const struct ork_interleave *p);
struct ork_interleave_decision ork_interleave_decision(const struct ork_interleave *p, uint32_t i);

const struct ork_interleave_op *ork_interleave_op(const struct ork_interleave *p, uint32_t op);
uint32_t ork_interleave_num_ops(const struct ork_interleave *p);

struct ork_interleave_position {
    bool inside; /* a call, of `info` */
    bool ended;  /* does nothing any more */
    bool deadlocked;
    uint32_t info;
};
struct ork_interleave_position ork_interleave_position(const struct ork_interleave *p,
                                                       uint32_t rank);

/* The wait-for graph of the deadlock, searched; the caller's. Label n of an arc is operation or
 * wave term[n - 1]. */
struct ork_interleave_term {
    uint32_t rank;
    uint32_t index; /* among the parts of its call; ORK_INTERLEAVE_NONE: the only one */
    bool is_wave;
    uint32_t number;
};
struct ork_interleave_hub {
    bool any;        /* a wildcard receive's group; else a wave */
    uint32_t number; /* operation or wave */
};
struct ork_interleave_graph {
    struct ork_wfg *wfg;
    struct ork_interleave_term *term;
    uint32_t num_terms;
    struct ork_interleave_hub *hub;
    uint32_t num_hubs;
};
/* Once; after ork_interleave_position(). Free with ork_interleave_graph_release(). */
struct ork_interleave_graph ork_interleave_take_graph(struct ork_interleave *p);
void ork_interleave_graph_release(struct ork_interleave_graph *graph);
uint32_t ork_interleave_wave_info(const struct ork_interleave *p, uint32_t wave);

#endif
