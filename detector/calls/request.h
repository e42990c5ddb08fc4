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

/* One operation of it that is not complete counts as complete from here on; false: there is none.
 */
bool ork_shared_relax(struct proc *p);
/* The outcome of an active receive. */
void ork_request_observe(struct proc *p, struct request *r, int32_t source, int32_t tag);
/* What was assumed of a receive that is complete may have been wrong. */
void ork_request_correct(struct proc *p, struct request *r, int32_t source, int32_t tag);

#endif
