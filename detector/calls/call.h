/* SPDX-License-Identifier: BSD-3-Clause */
/* What each kind of record means. */
#ifndef ORK_DETECTOR_CALL_H
#define ORK_DETECTOR_CALL_H

#include "detector/state/state.h"

/* calls.c */
void ork_call_enter(struct mpi_thread *th);
void ork_call_apply_exit(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);
bool ork_call_is_over(struct mpi_thread *th);
void ork_call_leave(struct mpi_thread *th);
void ork_call_confirm(
    struct mpi_thread *th); /* the run went past the call, in which `th` is still held */
bool ork_call_relax(struct mpi_thread *th);
bool ork_call_release_completed(struct mpi_thread *th);
void ork_call_define(struct mpi_thread *th, const struct ork_record *rec, const uint32_t *list);
/* Does a COLL record on `c` count in its order? */
bool ork_call_arrives(const struct comm *c, const struct ork_record *rec);
/* Collective, but nothing says that it synchronises. */
bool ork_call_never_waits(const struct ork_detector *d, unsigned coll);

/* fail.c: EXIT with an error, of the call in which `th` is held, or that it has left. */
void ork_fail_inside(struct mpi_thread *th, const struct ork_record *rec);
void ork_fail_after(struct mpi_thread *th, const struct ork_record *rec);

#endif
