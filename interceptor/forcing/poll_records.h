/* SPDX-License-Identifier: BSD-3-Clause */
/* Records of tests and probes in the runs of an exploration, from which other outcomes follow
 * (docs/explanation/polls.md). */
#ifndef ORK_POLL_RECORDS_H
#define ORK_POLL_RECORDS_H

#include "interceptor/call/call.h"
#include "interceptor/call/wait_set.h"

/* Is it such a run? The environment says so. Call once, when MPI is initialised. */
void ork_poll_records_init(void);

/* The test or probe was unsuccessful: its POLL record. Call before the poll is counted, only if
 * ork_is_explored. */
void ork_poll_failed_test(const struct ork_call *call, const MPI_Request *request, int count,
                          unsigned mode);
void ork_poll_failed_probe(const struct ork_polled *polled, unsigned flags);
void ork_poll_failed_window(const struct ork_call *call, MPI_Win window);

/* The call was successful and has completed these `count` indices: its TESTS record, because which
 * of the other requests of its array could have been complete instead is an alternative. The lock
 * is held, and completed requests still have their numbers. */
void ork_put_tests(const struct ork_call *call, const struct ork_args *a, uint32_t count);

/* An MPI_Request_get_status that was successful: its STATUS record. The choice was made, and the
 * lock is held. */
void ork_put_status(const struct ork_call *call, MPI_Request request);

#endif
