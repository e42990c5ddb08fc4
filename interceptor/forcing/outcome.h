/* SPDX-License-Identifier: BSD-3-Clause */
/* The outcome that a choice point is given (docs/explanation/order.md). One of two sources has it:
 * an order that the rank follows, which is a recording or what an exploration has decided
 * (ordered.h); or the tool, which decides while the program runs (decided.h). The functions that
 * wrap the choice points ask here. */
#ifndef ORK_OUTCOME_H
#define ORK_OUTCOME_H

#include "interceptor/forcing/wait.h"
#include "order/file/order.h"

#include <mpi.h>

enum ork_outcome {
    ORK_OUTCOME_FREE, /* that of the library */
    /* Of a poll: RATIONALE: an unsuccessful one makes no call, because a real one could succeed.
     * Others run on meanwhile. */
    ORK_OUTCOME_FAILS,
    ORK_OUTCOME_WAITS, /* it is called again until it is successful, or need not wait any more */
    ORK_OUTCOME_GIVEN  /* the call waits until it can have this outcome */
};

/* The call that the thread makes. */
struct ork_point {
    enum ork_choice_kind kind;
    enum ork_call_id id;
    /* What tells it from others of its call and place. */
    const MPI_Request *request;
    int count;
    MPI_Comm comm; /* of a probe, with source and tag */
    int source, tag;
    bool is_matched;
    MPI_Win win;
};

/* A probe that has to find a message now. True: that of p->source and p->tag, which are named. */
bool ork_outcome_of_probe(struct ork_point *p);

/* A test or a probe that polls. GIVEN: p->source and p->tag of a probe are named; *next: the choice
 * of a test, in a rank that follows an order. */
enum ork_outcome ork_outcome_of_poll(struct ork_point *p, const struct ork_choice **next);
/* MPI_Waitany and MPI_Waitsome. GIVEN, *next: as for a test; FREE. */
enum ork_outcome ork_outcome_of_wait(struct ork_point *p, const struct ork_choice **next);

/* After the first try that failed: the call waits (wait.h), as its outcome says. */
void ork_outcome_begin_wait(struct ork_wait *w, const struct ork_point *p,
                            enum ork_outcome outcome);
/* The requests that a call has to complete, of an outcome that is GIVEN: those of `next`, or as far
 * as they are decided. NULL: not yet; or *outcome is FAILS now. */
const struct ork_choice *ork_outcome_given(const struct ork_choice *next,
                                           enum ork_outcome *outcome);

/* The poll was made, as its outcome says. */
void ork_outcome_end_poll(enum ork_outcome outcome, enum ork_call_id id, bool is_successful);

#endif
