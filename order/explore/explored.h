/* SPDX-License-Identifier: BSD-3-Clause */
/* The runs of an exploration, and whether one of them made certain choices. Pure.
 *
 * A decision is a change of a choice of an earlier run: the choices that do not depend on it are
 * made again, it has another outcome, and the rest is left to the run. A run that made these
 * choices covers the decision: it is a run from the same place, and its alternatives are known. */
#ifndef ORK_EXPLORE_EXPLORED_H
#define ORK_EXPLORE_EXPLORED_H

#include "order/explore/alternatives.h"
#include "common/hash_map.h"
#include "order/explore/trace.h"

struct ork_explored;

/* `symmetric`: for each rank, whether it does the same work as the others that are marked, so that
 * orders that differ only by exchanging them are the same; NULL: there are none. ORK_NOMEM. */
enum ork_status ork_explored_create(uint32_t ranks, const bool *symmetric,
                                    struct ork_explored **out);
void ork_explored_destroy(struct ork_explored *explored);
uint32_t ork_explored_ranks(const struct ork_explored *explored);

/* Add a run, and take over its trace; they have numbers from 0 on. ORK_NOMEM: unusable from now on.
 */
enum ork_status ork_explored_add(struct ork_explored *explored, struct ork_trace *trace);
/* A choice of that run; NULL: there is none of this number. */
const struct ork_choice *ork_explored_choice(const struct ork_explored *explored, uint32_t run,
                                             uint32_t rank, uint64_t number);
/* All that a rank of the run did. */
const struct ork_trace_rank *ork_explored_rank(const struct ork_explored *explored, uint32_t run,
                                               uint32_t rank);
/* Do they fit together: a run, and a change that was read from a file? */
bool ork_explored_fits(const struct ork_explored *explored, uint32_t run,
                       const struct ork_change *change);
/* A hash of what the change of that run decides: equal decisions have equal ones. */
uint64_t ork_explored_hash(struct ork_explored *explored, uint32_t run,
                           const struct ork_change *change);
/* Did some run make the choices that the change of that run decides? */
bool ork_explored_covers(struct ork_explored *explored, uint32_t run,
                         const struct ork_change *change);
/* The choice that the change changes, as it was in that run. */
struct ork_choice ork_explored_changed(const struct ork_explored *explored, uint32_t run,
                                       const struct ork_change *change);
/* What tells the unsuccessful polls before the changed choice, with its other outcome, apart: as in
 * struct ork_trace_rank. */
uint64_t ork_explored_changed_polled(const struct ork_explored *explored, uint32_t run,
                                     const struct ork_change *change);
/* The same as a part of the outcome of a choice (0: there is none of this number), and of the
 * changed one. */
uint64_t ork_explored_outcome(const struct ork_explored *explored, uint32_t run, uint32_t rank,
                              uint64_t number);
uint64_t ork_explored_changed_outcome(const struct ork_explored *explored, uint32_t run,
                                      const struct ork_change *change);
/* So many polls of the rank are unsuccessful after the choices that it keeps. */
uint64_t ork_explored_kept_polls(const struct ork_explored *explored, uint32_t run,
                                 const struct ork_change *change, uint32_t rank);
/* Did the rank give up all polls after these choices, its last ones, and was it ended before it
 * told how many there were? */
bool ork_explored_abandoned_last(const struct ork_explored *explored, uint32_t run, uint32_t rank,
                                 uint64_t choices);
/* Were all polls of the rank after its last choice abandoned? Then *to is what decides that. */
bool ork_explored_ends_in_vain(const struct ork_explored *explored, uint32_t run, uint32_t rank,
                               struct ork_choice *to);
/* Was the choice a successful poll, which is unsuccessful now? A run shows what comes instead. */
static inline bool ork_change_is_failure(const struct ork_change *change)
{
    return change->polls == ORK_POLLS_ONE_MORE || change->polls == ORK_POLLS_ABANDONED ||
           change->polls == ORK_POLLS_ALL_ABANDONED;
}
/* Is the choice another test or probe, which was unsuccessful in this run? */
static inline bool ork_change_is_other_poll(const struct ork_change *change)
{
    return change->polls == ORK_POLLS_FEWER || change->polls == ORK_POLLS_AGAIN;
}
/* Was the lock never granted in this run, so that it made no choice? */
static inline bool ork_change_is_request(const struct ork_change *change)
{
    return change->kind == ORK_CHOICE_LOCK && change->poll.place != 0;
}
/* Did the rank of the change give up there, as it decides? */
bool ork_change_is_abandoned(const struct ork_change *change, const struct ork_trace *trace);
/* Or did it go on, although the change decides that? RATIONALE: if it made no further choice, it
 * was ended while it polled. */
bool ork_change_went_on(const struct ork_change *change, const struct ork_trace *trace);
static inline bool ork_change_abandons(const struct ork_change *change)
{
    return change->polls == ORK_POLLS_ABANDONED || change->polls == ORK_POLLS_ALL_ABANDONED;
}
/* The choice with its other outcome. ORK_CHOICE_FREE: after one more poll that fails, or a series
 * of them, or all that are equal to those before the choice. */
struct ork_choice ork_change_apply(const struct ork_choice *choice,
                                   const struct ork_change *change);

#endif
