/* SPDX-License-Identifier: BSD-3-Clause */
/* Progress of threads through their records. */
#ifndef ORK_DETECTOR_PROGRESS_H
#define ORK_DETECTOR_PROGRESS_H

#include "detector/state/state.h"

/* The next record of `th`, and its list. */
void ork_thread_dispatch(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);
/* Number of leading records that only wait in the queue of `th`; they have been queued. */
size_t ork_thread_queue_run(struct mpi_thread *th, const struct ork_record *record, size_t n);
/* Let `th` leave the call in which it is held, if the run continued after that call. False: nothing
 * to leave. */
bool ork_thread_relax(struct mpi_thread *th, bool is_deadlocked);
/* `thread` has ended; another thread may have its number from now on. RATIONALE: a thread may lag
 * behind the run, so it is removed when it reaches its end. Operations that it started may outlive
 * it and refer to it, so its memory stays with the process, for the next thread. */
void ork_thread_end(struct proc *p, uint16_t thread);
/* Advance all threads on the ready list as far as possible. */
void ork_run_work(struct ork_detector *d);

#endif
