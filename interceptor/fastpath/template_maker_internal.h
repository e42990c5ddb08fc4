/* SPDX-License-Identifier: BSD-3-Clause */
/* Parts of learn.h: when an iteration is learnt (learn.c), and what of each call (learn_calls.c,
 * learn_windows.c). */
#ifndef ORK_LEARN_INTERNAL_H
#define ORK_LEARN_INTERNAL_H

#include "interceptor/fastpath/learn.h"

struct ork_learning {
    enum {
        ORK_LEARN_RESTING,
        ORK_LEARN_LOOKING,
        ORK_LEARN_WAITING,
        ORK_LEARN_LEARNING,
        ORK_LEARN_TAKEN
    } phase;
    uint64_t repetition; /* ork_recorder.first of it */
    uint64_t until;      /* except ORK_LEARN_LEARNING: until so many records are written */
    uint64_t begin;      /* ORK_LEARN_LEARNING: since so many */
    uint32_t fewest;     /* pending requests, and the position behind the call with them */
    uint32_t start;
    uint32_t ties;
    /* Attempts that have failed. RATIONALE: after them, a later one of such positions is taken:
     * from an earlier one on, an epoch may be open at a call that is no step. */
    uint32_t failures;
    bool is_open;        /* see ork_iteration */
    uint64_t started;    /* requests of the iteration that are not complete; bit i: number i, */
    bool started_shared; /* and those of shared handles; */
    uint64_t wild;       /* those of `started` that are receives with a wildcard */
    uint32_t codes;      /* in use */
    uint32_t steps;
    uint64_t delay;   /* blocks until the next attempt, if this one fails */
    uint64_t reports; /* ork_usage_reports */
};
extern struct ork_learning ork_learning;

/* Does nothing but its arguments and the tables decide what a call does? */
bool ork_learn_is_possible(void);
/* The same for a nonblocking receive with a wildcard, if it is the only one that is pending. */
bool ork_learn_is_possible_wild(void);
/* A call has returned: is its step to be learnt? */
bool ork_learn_is_due(const struct ork_call *call);
/* Enter the step of the call that has just returned; NULL: it is made in full. */
void ork_learn_enter(const struct ork_call *call, const struct ork_step *step, uint32_t slots,
                     bool is_bound);
/* The part of learning that does not depend on the call, after its step was learnt, or not. */
void ork_learn_go_on(void);

/* ---- the records of the call that has returned: the latest ones of the block ---- */

/* The position that is so many slots before the present one, and the record at a position. */
uint32_t ork_learn_back(uint32_t slots);
const struct ork_record *ork_learn_record(uint32_t position);
/* The slots of its record, its list and its EXIT record; 0: unknown. */
uint32_t ork_learn_slots(const struct ork_call *call, bool *has_exit);

/* ---- what a step says of them ---- */

/* How its record, in so many slots, names the choice that it has made. False: it cannot be kept. */
bool ork_learn_name(struct ork_step *step, uint32_t slots);
/* The request that it starts, or NULL. False: that cannot be deferred. */
bool ork_learn_request(struct ork_step *step, const MPI_Request *request);
/* The step was entered, if it was learnt: its request is pending now. */
void ork_learn_pending(const struct ork_step *step);
/* The step that was entered has two records, each with its list; the latter one is EXIT, in so many
 * slots. */
void ork_learn_exit(uint32_t slots, uint32_t exit);

#endif
