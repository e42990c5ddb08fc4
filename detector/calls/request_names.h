/* SPDX-License-Identifier: BSD-3-Clause */
/* Which request a number means, in a process that may have several threads.
 *
 * A number is used again when its request is complete. The strict analysis may hold the thread that
 * completed it, while another thread goes on and makes a request that got the same number. That
 * thread must not be held, too: in the program, nothing makes it wait. So the numbers are replaced
 * when the records arrive, in their order, by numbers that no request has which the analysis still
 * follows or has not reached. A number stays as it is where that is possible. */
#ifndef ORK_DETECTOR_REQUEST_NAMES_H
#define ORK_DETECTOR_REQUEST_NAMES_H

#include "detector/state/state.h"

/* `rec` with this list has arrived, in the stream of `th`. */
void ork_request_name(struct mpi_thread *th, struct ork_record *rec, uint32_t *list);
/* The number of the request that the latest records call `id`. */
uint32_t ork_request_named(const struct proc *p, uint32_t id);
/* The analysis has reached the call that makes a request. */
void ork_request_name_reached(struct proc *p, const struct ork_record *call);
void ork_request_names_release(struct proc *p);

/* May the record have to be replaced? */
static inline bool ork_request_has_name(const struct proc *p, const struct ork_record *rec)
{
    return p->several_may_call &&
           (rec->kind == ORK_KIND_TESTED ||
            ork_record_has(rec, ORK_MAKES_REQUEST | ORK_LISTS_REQUESTS | ORK_NAMES_REQUEST));
}

#endif
