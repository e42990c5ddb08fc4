/* SPDX-License-Identifier: BSD-3-Clause */
/* Early sources: the library may have completed a wildcard receive long before the application
 * waits for it. MPI_Request_get_status (MPI-3.1 section 3.7.6) returns its source and leaves it
 * active. Each thread asks for the receives that it started itself, so that the order of its
 * records is that of its calls. */
#ifndef ORK_EARLY_H
#define ORK_EARLY_H

#include "interceptor/ring/errands.h"

#include <mpi.h>

enum { ORK_EARLY_FEW = 8, ORK_EARLY_ALL = INT32_MAX };

/* All except ork_early_answer() are called with the recorder's lock held. */

/* The calling thread started a wildcard receive with this number. */
void ork_early_add(uint32_t id, MPI_Request request);
/* It is persistent. */
void ork_early_add_persistent(uint32_t id, MPI_Request request);
/* It is complete, or about to be cancelled or freed. It need not be listed. */
void ork_early_remove(uint32_t id);
/* A completing call of the calling thread begins or ends: no other thread may ask in between,
 * because MPI does not allow two such calls at once for one request. */
void ork_early_hold(uint32_t id);
void ork_early_let_go(uint32_t id);

/* It is complete, with this status: write its EARLY record. It need not be listed. */
void ork_early_tell(uint32_t id, const MPI_Status *status);
/* Ask for at most `most` receives, and write an EARLY record for each complete one. */
void ork_early_sweep(uint32_t most);
/* The program may complete and free requests in ways that are not seen: ask for none any more. */
void ork_early_stop(void);

/* Ask for all if the leaf has requested it since the last time. */
void ork_early_answer(void);

/* Before the record of a call that can block. */
static inline void ork_early_ask(void)
{
    if (ork_early_is_pending())
        ork_early_sweep(ORK_EARLY_FEW);
}

#endif
