/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests, and the calls that wait for them. */
#ifndef ORK_DETECTOR_CALLS_REQUEST_H
#define ORK_DETECTOR_CALLS_REQUEST_H

#include "detector/state/state.h"

/* The request that rec names, fresh; NULL: it names none (shared, null, impossible). */
struct request *ork_request_new(struct mpi_thread *th, const struct ork_record *rec);
void ork_request_free(struct mpi_thread *th, uint32_t id);
void ork_request_cancel(struct mpi_thread *th, uint32_t id);
void ork_request_consume(struct mpi_thread *th, uint32_t entry, int32_t source, int32_t tag);
/* The library has completed it, the application has not yet waited for it. */
void ork_request_early(struct mpi_thread *th, const struct ork_record *rec);
/* One operation of the shared handle was waited for. */
void ork_shared_take(struct proc *p);

void ork_wait_enter(struct mpi_thread *th);
bool ork_wait_is_over(struct mpi_thread *th);
void ork_wait_leave(struct mpi_thread *th);
void ork_wait_apply_exit(struct mpi_thread *th);
void ork_wait_confirm(struct mpi_thread *th);
bool ork_wait_relax(struct mpi_thread *th);
bool ork_wait_let_go(struct mpi_thread *th);

#endif
