/* SPDX-License-Identifier: BSD-3-Clause */
/* Do the datatypes of a message match: MPI-3.1 section 3.3.1, and its length: section 3.2.4? */
#ifndef ORK_DETECTOR_MATCHING_TYPES_H
#define ORK_DETECTOR_MATCHING_TYPES_H

#include "detector/state/state.h"

/* `receive` takes the message of `send`, and amounts_agree() is false. */
void ork_types_report(struct ork_detector *d, const struct op *send, const struct op *receive)
    __attribute__((cold, noinline));
/* `receive` failed because its message was too long, and may have taken that of `send`. */
void ork_types_report_possible(struct ork_detector *d, const struct op *send,
                               const struct op *receive);

/* The same for two calls of a collective operation, whose lengths must be equal: in these records,
 * bytes and arg2 are what one sends and the other receives, or what both pass. True: it is wrong.
 */
bool ork_types_report_equal(struct ork_detector *d, const struct ork_issue_side *sender,
                            const struct ork_issue_side *receiver);

/* Several threads of `p` may have messages with this tag (ORK_ANY_TAG: with any): withdraw what was
 * reported although the order of these threads decides which messages were received. */
void ork_types_look_again(struct proc *p, int32_t tag);

/* A call at this place of the rank failed, or was cancelled: what it was compared with may have
 * matched another one. */
void ork_types_doubt(struct proc *p, uint32_t site);

/* Messages that were too long for this rank's receives were an error that returned to the
 * application. */
void ork_types_returned(struct proc *p);
/* The same for a collective call of this rank at this place, whose counts were wrong. */
void ork_types_coll_returned(struct proc *p, uint32_t site);

#endif
