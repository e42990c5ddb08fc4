/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors other than deadlocks. */
#ifndef ORK_DETECTOR_ISSUE_H
#define ORK_DETECTOR_ISSUE_H

#include "detector/state/state.h"

/* NULL: out of memory. */
struct ork_issue *ork_issue_add(struct ork_detector *d, enum ork_issue_kind kind, uint32_t comm,
                                unsigned num_sides);
void ork_issue_add_rank(struct ork_detector *d, struct ork_issue_side *side, uint32_t rank);
/* `rec`, the call by which `th` arrives at `w`, does not match the first one. */
void ork_issue_mismatch(struct mpi_thread *th, struct wave *w, const struct ork_record *rec);
/* Some call of the mismatch of `w` was not made after all; the other calls are compared again. */
void ork_issue_withdraw(struct ork_detector *d, struct wave *w);
/* A ready send: its receive was not posted before it. */
void ork_issue_rsend(struct ork_detector *d, const struct op *send);
/* No rank received the message before MPI_Finalize. */
void ork_issue_lost_message(struct ork_detector *d, const struct op *send);
/* Report the requests that are active when `p` enters MPI_Finalize. */
void ork_issue_leaks(struct proc *p);
void ork_issue_destroy(struct ork_detector *d);

#endif
