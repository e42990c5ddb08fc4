/* SPDX-License-Identifier: BSD-3-Clause */
/* What strict semantics has reached since nothing was pending. */
#ifndef ORK_DETECTOR_HISTORY_H
#define ORK_DETECTOR_HISTORY_H

#include "detector/state/state.h"

void ork_history_append(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);
/* A call that strict semantics has reached, or its outcome. */
static inline void ork_history_add(struct mpi_thread *th, const struct ork_record *rec,
                                   const uint32_t *list)
{
    const struct ork_detector *d = th->proc->d;

    if (!d->history.full || (d->history.limit > 0 && !d->history.lacks_wildcards))
        ork_history_append(th, rec, list);
}
/* `w` is complete, nobody has left it: is that a moment to start anew? */
void ork_history_at_wave(struct ork_detector *d, const struct wave *w);
/* That of `p` up to now. */
struct history *ork_history_of(struct proc *p);
/* May so many processes pass a wave at once? */
bool ork_history_has_room(const struct ork_detector *d, uint64_t ranks);
/* They did, and it is the call of one communicator, or (NULL) of several. False: out of memory. */
bool ork_history_pass(struct ork_detector *d, struct bulk_wave *g, const struct comm *c);
void ork_history_destroy(struct ork_detector *d);

#endif
