/* SPDX-License-Identifier: BSD-3-Clause */
/* Handles that the application made and has not freed when MPI_Finalize returns. */
#ifndef ORK_LEAKS_H
#define ORK_LEAKS_H

#include "interceptor/objects/handles.h"

/* Report them, folded by the call that made them. RATIONALE: when MPI_Finalize has returned,
 * because attribute callbacks of MPI_COMM_SELF run inside it, in which libraries free what they
 * made (MPI-3.1 section 8.7.1). Without the recorder's lock. Does nothing if handles came or went
 * unseen.
 */
void ork_leaks_report(void);

/* A call after that is about to free this handle, which is wrong, too: it is no leak in addition.
 * Without the recorder's lock. */
void ork_leak_is_freed(enum ork_handle_kind kind, uint64_t value) __attribute__((cold));

#endif
