/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs and locks of windows. */
#ifndef ORK_DETECTOR_RMA_H
#define ORK_DETECTOR_RMA_H

#include "detector/state/state.h"

/* A later record shows that `th`, held in MPI_Win_lock, has its lock. */
void ork_rma_has_lock(struct mpi_thread *th);
/* The EXIT record of its latest call, MPI_Win_lock, may have its place in the order of locks. */
void ork_rma_note_order(struct mpi_thread *th, const struct ork_record *exit);
void ork_rma_release(struct ork_detector *d, struct comm *c); /* the window was freed */
void ork_rma_release_groups(struct proc *p);

#endif
