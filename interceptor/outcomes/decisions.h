/* SPDX-License-Identifier: BSD-3-Clause */
/* The rank's side of a deterministic run (docs/explanation/deterministic.md): questions to the
 * tool, and its decisions. Of the thread that called MPI first; not with the recorder's lock held,
 * unless said otherwise. */
#ifndef ORK_DECISIONS_H
#define ORK_DECISIONS_H

#include "interceptor/outcomes/early.h"
#include "interceptor/site/site.h"
#include "record/decision.h"

#include <mpi.h>

/* Call before recording starts. `bell`: from the leaf, owned from here on; -1: the run is not
 * deterministic. */
void ork_decisions_init(int bell);

/* Is the run deterministic? It stays so if the rank runs freely from some time on. */
extern bool ork_run_is_decided;
/* Does the tool decide for this rank? */
static inline bool ork_decisions_are_on(void)
{
    return (atomic_load_explicit(&ork_errands, memory_order_relaxed) & ORK_ERRAND_DECIDE) != 0;
}
/* From now on the rank runs freely; the tool is told. The leaf may have ended. */
void ork_decisions_stop(void);

/* The rank is about to make a one-sided call, or none: the tool is told from time to time how many
 * it has made (record/decision.h). */
void ork_decisions_note_call(enum ork_call_id id);

/* What is asked about: as in an ASK record. */
struct ork_question {
    enum ork_ask ask;
    MPI_Comm comm; /* MPI_COMM_NULL: none */
    int source, tag;
    bool is_matched;
    int count; /* of request[] */
    const MPI_Request *request;
    /* ATOMIC: its location, and whether it updates that. */
    MPI_Win win;
    int target;
    MPI_Aint displacement;
    bool is_update;
};
/* One-sided calls of which the tool was told. */
uint64_t ork_decisions_told_steps(void);
/* Write the ASK record, and return its number. A wait follows, which wakes the leaf. */
uint32_t ork_decisions_ask(const struct ork_question *question);

/* The test of the latest question is over for this rank: see ORK_DECIDED_ENDING. */
void ork_decisions_say_ended(void);

/* The next decision; false: there is none yet. */
bool ork_decisions_take(struct ork_decision *decision);

/* A wait for decisions and messages. Each look keeps the library going, and pauses if nothing has
 * come; false: the rank runs freely. */
struct ork_decision_wait {
    uint32_t head; /* of the page, before the look */
    unsigned looks;
};
void ork_decisions_wait_begin(struct ork_decision_wait *w);
bool ork_decisions_look(struct ork_decision_wait *w);
void ork_decisions_wait_end(void);

/* Let the library make progress. */
void ork_decisions_progress(void);

/* At the begin of a recorded call: take decisions. See decided.c. */
void ork_decided_begin(enum ork_call_id id);
/* Inside a call that can block, before the real one, with the lock held: if it is one that does not
 * itself follow decisions, wait until it may be made although receives are deferred. */
void ork_decided_entered(void);

/* The rank has published a record on which a decision may depend. The lock may be held. */
void ork_decisions_ring_if_watched(void);
static inline void ork_decisions_published(void)
{
    if (ORK_UNLIKELY(ork_decisions_are_on()))
        ork_decisions_ring_if_watched();
}

#endif
