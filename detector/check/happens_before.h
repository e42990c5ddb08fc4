/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process may know of other processes. */
#ifndef ORK_DETECTOR_HAPPENS_BEFORE_H
#define ORK_DETECTOR_HAPPENS_BEFORE_H

#include "detector/state/state.h"

/* From now on `p` may know of every event so far. */
void ork_seen_everything(struct proc *p);
/* `p` has left a collective of `c` that was complete at `seq`. */
void ork_seen_by_collective(struct proc *p, const struct comm *c, uint64_t seq);
/* `p` has received the message of `s`. */
void ork_seen_by_receive(struct proc *p, const struct op *s);
/* A nonblocking probe of `p` found a message. is_there: its send is known. */
void ork_seen_by_probe(struct proc *p, const struct comm *c, uint32_t source, int32_t tag,
                       bool is_there);
/* Seq of the latest event that `p` may know of when it requests a lock, or sends; UINT64_MAX:
 * unknown. */
uint64_t ork_seen_at_lock(const struct proc *p);
uint64_t ork_seen_at_send(const struct proc *p);

#endif
