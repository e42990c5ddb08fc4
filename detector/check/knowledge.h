/* SPDX-License-Identifier: BSD-3-Clause */
/* What a process may know of others. */
#ifndef ORK_DETECTOR_KNOWLEDGE_H
#define ORK_DETECTOR_KNOWLEDGE_H

#include "detector/state/state.h"

/* `p` may know of everything so far. */
void ork_knowledge_until_now(struct proc *p);
/* `p` has gone through a collective of `c` that was complete at `seq`. */
void ork_knowledge_gathered(struct proc *p, const struct comm *c, uint64_t seq);
/* `p` has the message of `s`. */
void ork_knowledge_received(struct proc *p, const struct op *s);
/* A probe of `p` that does not wait found a message. is_there: its send is known. */
void ork_knowledge_found(struct proc *p, const struct comm *c, uint32_t source, int32_t tag,
                         bool is_there);
/* Seq of the latest that `p` may know of when it asks for a lock, or sends; UINT64_MAX: cannot be
 * told. */
uint64_t ork_knowledge_at_lock(const struct proc *p);
uint64_t ork_knowledge_at_send(const struct proc *p);

#endif
