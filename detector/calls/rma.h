/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs and locks of windows. */
#ifndef ORK_DETECTOR_RMA_H
#define ORK_DETECTOR_RMA_H

#include "detector/state/state.h"

/* A later record shows that `th`, held in MPI_Win_lock, has its lock. */
void ork_rma_has_lock(struct mpi_thread *th);
/* `th` waits for a lock. If those that it waits for wait for it, too, let one of them have its lock
 * whose run is ahead. */
void ork_lock_break_cycle(struct mpi_thread *th);
bool ork_lock_excludes(const struct lock *a, const struct lock *b); /* of two processes */
/* The EXIT record of its latest call, MPI_Win_lock, may have its place in the order of locks. */
void ork_rma_note_order(struct mpi_thread *th, const struct ork_record *exit);
void ork_rma_release(struct ork_detector *d, struct comm *c); /* the window was freed */
void ork_rma_release_groups(struct proc *p);

#endif
