/* SPDX-License-Identifier: BSD-3-Clause */
/* The last calls of a finding, as text. */
#ifndef ORK_REPORT_LAST_CALLS_H
#define ORK_REPORT_LAST_CALLS_H

#include "report/report.h"

/* "MPI_Recv(from MPI_ANY_SOURCE, tag 7, MPI_COMM_WORLD)", "comm.recv: MPI_Mprobe(from 1, ..)": call
 * and arguments without the place. The caller's, not escaped; NULL: out of memory. */
char *ork_last_call_words(const struct ork_last_call *call);
/* Its result: "took the message of rank 2, tag 7", "failed with MPI error class 12", "has not
 * returned"; "" for nothing. Ownership as above. */
char *ork_last_call_outcome(const struct ork_last_call *call);

/* Is it this call at this place? Addresses within one line are one place. */
bool ork_last_call_is(const struct ork_last_call *call, const char *name,
                      const struct ork_where *where);
/* Is it a receive or a probe, by its name? */
bool ork_call_receives(const char *name);
bool ork_call_sends(const char *name);
/* Is it a test or probe that does not wait? */
bool ork_call_polls(const char *name);

#endif
