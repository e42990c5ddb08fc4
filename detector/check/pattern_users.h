/* SPDX-License-Identifier: BSD-3-Clause */
/* Which threads of a process send or receive with one (communicator, peer, tag).
 *
 * The order in which the library took the calls of two threads is not that of their records: a
 * record is written before its call, or after it. So it is known which message a receive took only
 * if one thread of the sender sends such messages, and one thread of the receiver receives them.
 * The records are looked at when they arrive, even if the strict analysis has not reached them. */
#ifndef ORK_DETECTOR_PATTERN_USERS_H
#define ORK_DETECTOR_PATTERN_USERS_H

#include "detector/check/matching_types.h"
#include "detector/state/state.h"

/* `rec` has arrived, in the stream of `th`. If a second thread uses the pattern of earlier
 * messages, the process has doubts about what was reported of messages with its tag. */
void ork_pattern_users_note(struct mpi_thread *th, const struct ork_record *rec,
                            const uint32_t *list);
/* The same, and what is in doubt is withdrawn. */
static inline void ork_pattern_users_look(struct mpi_thread *th, const struct ork_record *rec,
                                          const uint32_t *list)
{
    struct proc *p = th->proc;

    if (p->several_may_call)
        ork_pattern_users_note(th, rec, list);
    if (p->has_doubts) {
        p->has_doubts = false;
        ork_types_look_again(p, p->doubted_tag);
    }
}

/* Does the order of messages on communicator number `comm`, from `source` to `dest` with this tag,
 * depend on one thread of each of these processes only? */
bool ork_pattern_has_one_user(struct ork_detector *d, uint32_t comm, uint32_t source, uint32_t dest,
                              int32_t tag);

#endif
