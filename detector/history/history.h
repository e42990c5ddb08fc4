/* SPDX-License-Identifier: BSD-3-Clause */
/* The calls that the strict analysis has reached since some moment. */
#ifndef ORK_DETECTOR_HISTORY_H
#define ORK_DETECTOR_HISTORY_H

#include "detector/state/state.h"

void ork_history_append(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);
/* A call that the strict analysis has reached, or its outcome. */
static inline void ork_history_add(struct mpi_thread *th, const struct ork_record *rec,
                                   const uint32_t *list)
{
    const struct ork_detector *d = th->proc->d;

    if (!d->history.full || d->history.rests ||
        (d->history.limit > 0 && !d->history.lacks_wildcards))
        ork_history_append(th, rec, list);
}

void ork_history_try_mark(struct ork_detector *d);
/* A thread is about to go on. Try to set the mark here if it could not be set when the history was
 * looked at. RATIONALE: the records of a task farm's master nearly always come before those of its
 * workers. Its receive is then unconfirmed, except between its match and its next record. */
static inline void ork_history_before_step(struct ork_detector *d)
{
    if (d->history.wants_mark && d->counts.calls >= d->history.look_at)
        ork_history_try_mark(d);
}

/* `w` is complete, and no rank has left it: restart the history if that is useful. */
void ork_history_at_wave(struct ork_detector *d, const struct wave *w);
/* The history of `p` up to now. */
struct history *ork_history_of(struct proc *p);
/* Is there room for a wave that `ranks` processes pass at once? */
bool ork_history_has_room(const struct ork_detector *d, uint64_t ranks);
/* They passed it. `c` is its communicator, NULL: several. False: out of memory. */
bool ork_history_pass(struct ork_detector *d, struct bulk_wave *g, const struct comm *c);
void ork_history_release(struct proc *p);
void ork_history_destroy(struct ork_detector *d);

#endif
