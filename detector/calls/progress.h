/* SPDX-License-Identifier: BSD-3-Clause */
/* Strands go through their records. */
#ifndef ORK_DETECTOR_PROGRESS_H
#define ORK_DETECTOR_PROGRESS_H

#include "detector/state/state.h"

/* The next record of `st`, and its list. */
void ork_strand_dispatch(struct strand *st, const struct ork_record *rec, const uint32_t *list);
/* How many of these records do nothing but wait in its queue: they are there now. */
size_t ork_strand_queue_run(struct strand *st, const struct ork_record *record, size_t n);
/* Let it pass the call in which it is held, if the run went past it. False: there is nothing to let
 * pass. */
bool ork_strand_relax(struct strand *st, bool is_deadlocked);
/* `thread` has ended; its number may be that of another one from now on. RATIONALE: a strand may be
 * behind the run, so it goes when it has come to its end. What it started may outlive it and names
 * it, so its memory stays with the process, for the next thread. */
void ork_strand_end(struct proc *p, uint16_t thread);
/* Let all strands on the ready list go as far as they can. */
void ork_run_work(struct ork_detector *d);

#endif
