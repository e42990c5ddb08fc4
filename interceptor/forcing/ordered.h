/* SPDX-License-Identifier: BSD-3-Clause */
/* What an order says of the next choice of the calling thread: the rank follows a recording, or
 * what an exploration has decided (outcomes/replay.h). */
#ifndef ORK_ORDERED_H
#define ORK_ORDERED_H

#include "interceptor/call/call.h"
#include "interceptor/outcomes/choice.h"
#include "interceptor/forcing/hold.h"
#include "interceptor/forcing/outcome.h"
#include "interceptor/forcing/real.h"
#include "interceptor/outcomes/replay.h"

/* Is the next choice of the calling thread known, and one of this call? RATIONALE: in most calls it
 * is. Its thread alone changes it, so no lock is needed. */
static inline bool ork_ordered_is_known(const struct ork_choice *next, enum ork_choice_kind kind,
                                        enum ork_call_id id)
{
    return ORK_LIKELY(next != NULL && next->kind == kind && next->call == id &&
                      next->place == ork_choice_place_of(ork_thread.site) && !ork_hold_is_wanted);
}

/* The next choice, which is one of this call; NULL: the call is free. */
const struct ork_choice *ork_ordered_find_next(enum ork_choice_kind kind, enum ork_call_id id);
static inline const struct ork_choice *ork_ordered_next(enum ork_choice_kind kind,
                                                        enum ork_call_id id)
{
    const struct ork_choice *next = ork_thread.next_choice;

    return ork_ordered_is_known(next, kind, id) ? next : ork_ordered_find_next(kind, id);
}

/* What a poll has to do; GIVEN: *next is its choice. */
enum ork_outcome ork_ordered_find_poll(const struct ork_point *polled,
                                       const struct ork_choice **next);
static inline enum ork_outcome ork_ordered_poll(const struct ork_point *polled,
                                                const struct ork_choice **next)
{
    *next = ork_thread.next_choice;
    if (!ork_ordered_is_known(*next, polled->kind, polled->id) || (*next)->post != 0)
        return ork_ordered_find_poll(polled, next);
    return ork_replay_polls_fail(*next) ? ORK_OUTCOME_FAILS : ORK_OUTCOME_GIVEN;
}

/* Name source and tag of the choice, for a call with these. False: it cannot have had this outcome.
 */
bool ork_ordered_name(const struct ork_choice *choice, MPI_Comm comm, int *source, int *tag);
/* The same for the next choice, of a call that is no poll. False: it is free. */
bool ork_ordered_envelope(enum ork_choice_kind kind, enum ork_call_id id, MPI_Comm comm,
                          int *source, int *tag);

/* This call cannot have its recorded outcome: the rank runs freely from here on. */
void ork_ordered_diverge(enum ork_divergence why, enum ork_call_id id);

#endif
