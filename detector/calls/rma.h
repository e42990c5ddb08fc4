/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls of the WIN_ kinds. */
#ifndef ORK_DETECTOR_RMA_H
#define ORK_DETECTOR_RMA_H

#include "detector/state/state.h"

void ork_rma_enter(struct strand *st);
bool ork_rma_is_over(struct strand *st);
void ork_rma_leave(struct strand *st);
void ork_rma_undo(struct strand *st); /* the call failed */
bool ork_rma_relax(struct strand *st);
/* A later record shows that `st`, held in MPI_Win_lock, has its lock. */
void ork_rma_has_lock(struct strand *st);
void ork_rma_release(struct ork_detector *d, struct comm *c); /* the window is gone */
void ork_rma_release_groups(struct proc *p);
/* Whom MPI_Win_start or MPI_Win_wait still waits for, one after the other; *at starts from 0. */
bool ork_rma_next_missing(struct strand *st, uint32_t *at, uint32_t *process);
/* Who has an epoch that excludes the one that MPI_Win_lock asks for; *at starts from NULL. */
bool ork_rma_next_holder(struct strand *st, const struct lock **at, uint32_t *process);

#endif
