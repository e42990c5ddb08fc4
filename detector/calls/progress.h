/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads go through their records. */
#ifndef ORK_DETECTOR_PROGRESS_H
#define ORK_DETECTOR_PROGRESS_H

#include "detector/state/state.h"

/* The next record of `th`, and its list. */
void ork_thread_dispatch(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);
/* How many of these records do nothing but wait in its queue: they are there now. */
size_t ork_thread_queue_run(struct mpi_thread *th, const struct ork_record *record, size_t n);
/* Let it pass the call in which it is held, if the run went past it. False: there is nothing to let
 * pass. */
bool ork_thread_relax(struct mpi_thread *th, bool is_deadlocked);
/* `thread` has ended; its number may be that of another one from now on. RATIONALE: a thread may be
 * lags behind the run, so it goes when it has come to its end. What it started may outlive it and
 * names it, so its memory stays with the process, for the next thread. */
void ork_thread_end(struct proc *p, uint16_t thread);
/* Let all threads on the ready list go as far as they can. */
void ork_run_work(struct ork_detector *d);

#endif
