/* SPDX-License-Identifier: BSD-3-Clause */
/* Requests, and the calls that wait for them. */
#ifndef ORK_DETECTOR_CALLS_REQUEST_H
#define ORK_DETECTOR_CALLS_REQUEST_H

#include "detector/state/state.h"

/* Requests are numbered densely: a number that is so far above all others is invalid. */
enum { REQUEST_IDS_AHEAD = 1 << 16 };

/* Is `request` of the record the number of a request that the call makes? */
static inline bool ork_makes_request(const struct ork_record *rec)
{
    return ork_record_has(rec, ORK_MAKES_REQUEST) &&
           (rec->flags & (ORK_F_NONBLOCKING | ORK_F_PERSISTENT)) != 0;
}

/* A new request with the number of `rec`; NULL: it has none (shared, null, invalid). */
struct request *ork_request_new(struct mpi_thread *th, const struct ork_record *rec);
void ork_request_free(struct mpi_thread *th, uint32_t id);
void ork_request_cancel(struct mpi_thread *th, uint32_t id);
void ork_request_consume(struct mpi_thread *th, uint32_t entry, int32_t source, int32_t tag);
/* An OVERWRITTEN record. */
void ork_request_overwrite(struct proc *p, const struct ork_record *rec);
/* The library has completed the request, but the application has not waited for it yet. */
void ork_request_early(struct mpi_thread *th, const struct ork_record *rec);
/* The application waited for one operation of the shared handle; it has tested one with success, or
 * freed it. */
void ork_shared_take(struct proc *p);
void ork_shared_tested(struct proc *p);

/* One of its operations that is not complete counts as complete from now on; false: none left. */
bool ork_shared_relax(struct proc *p);
/* The outcome of an active receive. */
void ork_request_observe(struct proc *p, struct request *r, int32_t source, int32_t tag);
/* The assumed match of a completed receive may have been wrong. */
void ork_request_correct(struct proc *p, struct request *r, int32_t source, int32_t tag);

#endif
