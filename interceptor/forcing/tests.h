/* SPDX-License-Identifier: BSD-3-Clause */
/* Tests (MPI-3.1 section 3.7.5) in the runs of an exploration. The arrays of successful MPI_Testany
 * and MPI_Testsome: which of their other requests could have been complete instead is an
 * alternative. Unsuccessful ones: failed_polls.h. */
#ifndef ORK_TESTS_H
#define ORK_TESTS_H

#include "interceptor/call/call.h"
#include "interceptor/call/wait_set.h"

/* Is it such a run? The environment says so. Call once, when MPI is initialised. */
void ork_tests_init(void);

/* The call was successful and has completed these `count` indices: its TESTS record. The lock is
 * held, and completed requests still have their numbers. */
void ork_put_tests(const struct ork_call *call, const struct ork_args *a, uint32_t count);

/* An MPI_Request_get_status that was successful: its STATUS record. The choice was made, and the
 * lock is held. */
void ork_put_status(const struct ork_call *call, MPI_Request request);

#endif
