/* SPDX-License-Identifier: BSD-3-Clause */
/* Unsuccessful tests and probes in the runs of an exploration: their POLL records, from which other
 * outcomes follow (docs/explanation/exploration.md). Call before the poll is counted, only if
 * ork_is_explored. */
#ifndef ORK_FAILED_POLLS_H
#define ORK_FAILED_POLLS_H

#include "interceptor/call/call.h"

void ork_poll_failed_test(const struct ork_call *call, const MPI_Request *request, int count,
                          unsigned mode);
void ork_poll_failed_probe(const struct ork_polled *polled, unsigned flags);
void ork_poll_failed_window(const struct ork_call *call, MPI_Win window);

#endif
