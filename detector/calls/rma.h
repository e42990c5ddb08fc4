/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the WIN_ kinds. */
#ifndef ORK_DETECTOR_RMA_H
#define ORK_DETECTOR_RMA_H

#include "detector/state/state.h"

void ork_rma_enter(struct mpi_thread *th);
bool ork_rma_is_over(struct mpi_thread *th);
void ork_rma_leave(struct mpi_thread *th);
void ork_rma_undo(struct mpi_thread *th); /* the call failed */
bool ork_rma_relax(struct mpi_thread *th);
/* A later record shows that `th`, held in MPI_Win_lock, has its lock. */
void ork_rma_has_lock(struct mpi_thread *th);
void ork_rma_release(struct ork_detector *d, struct comm *c); /* the window is gone */
void ork_rma_release_groups(struct proc *p);
/* Whom MPI_Win_start or MPI_Win_wait still waits for, one after the other; *at starts from 0. */
bool ork_rma_next_missing(struct mpi_thread *th, uint32_t *at, uint32_t *process);
/* Who has an epoch that excludes the one that MPI_Win_lock asks for; *at starts from NULL. */
bool ork_rma_next_holder(struct mpi_thread *th, const struct lock **at, uint32_t *process);

#endif
