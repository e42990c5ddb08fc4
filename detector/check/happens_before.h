/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process may know of others. */
#ifndef ORK_DETECTOR_HAPPENS_BEFORE_H
#define ORK_DETECTOR_HAPPENS_BEFORE_H

#include "detector/state/state.h"

/* `p` may know of everything so far. */
void ork_seen_everything(struct proc *p);
/* `p` has gone through a collective of `c` that was complete at `seq`. */
void ork_seen_by_collective(struct proc *p, const struct comm *c, uint64_t seq);
/* `p` has the message of `s`. */
void ork_seen_by_receive(struct proc *p, const struct op *s);
/* A probe of `p` that does not wait found a message. is_there: its send is known. */
void ork_seen_by_probe(struct proc *p, const struct comm *c, uint32_t source, int32_t tag,
                       bool is_there);
/* Seq of the latest that `p` may know of when it asks for a lock, or sends; UINT64_MAX: cannot be
 * determined. */
uint64_t ork_seen_at_lock(const struct proc *p);
uint64_t ork_seen_at_send(const struct proc *p);

#endif
