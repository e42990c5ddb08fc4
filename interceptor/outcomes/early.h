/* SPDX-License-Identifier: BSD-3-Clause */
/* Early sources: the library may have completed a wildcard receive long before the application
 * waits for it. MPI_Request_get_status (MPI-3.1 section 3.7.6) returns its source and leaves it
 * active. Each thread asks for the receives that it started itself, so that the order of its
 * records is that of its calls. */
#ifndef ORK_EARLY_H
#define ORK_EARLY_H

#include "interceptor/ring/recorder.h"

#include <mpi.h>

/* What each call has to do first: number of started wildcard receives with unknown source, and
 * flags for --must:noise (noise.h), --must:replay (force.h) and --must:deterministic (decisions.h),
 * for a second thread (thread_levels.h), for deferred effects (iteration.h), and for --must:callers
 * (callers.h).
 * RATIONALE: one word, which each call tests, so that a call pays nothing for what is off. */
extern _Atomic uint32_t ork_errands;
#define ORK_ERRAND_NOISE     UINT32_C(0x80000000)
#define ORK_ERRAND_REPLAY    UINT32_C(0x40000000)
#define ORK_ERRAND_DECIDE    UINT32_C(0x20000000)
#define ORK_ERRAND_LEVEL     UINT32_C(0x10000000)
#define ORK_ERRAND_ITERATION UINT32_C(0x08000000)
#define ORK_ERRAND_CALLERS   UINT32_C(0x04000000)
#define ORK_ERRAND_FLAGS                                                                           \
    (ORK_ERRAND_NOISE | ORK_ERRAND_REPLAY | ORK_ERRAND_DECIDE | ORK_ERRAND_LEVEL |                 \
     ORK_ERRAND_ITERATION | ORK_ERRAND_CALLERS)

/* RATIONALE: other threads may miss it for a while; each thread sees what it has added itself. */
static inline void ork_errand_add(uint32_t flag)
{
    atomic_fetch_or(&ork_errands, flag);
}

enum { ORK_EARLY_FEW = 8, ORK_EARLY_ALL = INT32_MAX };

/* All except ork_early_answer() are called with the recorder's lock held. */

/* The calling thread started a wildcard receive with this number. */
void ork_early_add(uint32_t id, MPI_Request request);
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

/* Ask for all if the leaf has requested it since the last time. */
void ork_early_answer(void);

static inline uint32_t ork_early_pending(void)
{
    return atomic_load_explicit(&ork_errands, memory_order_relaxed) & ~ORK_ERRAND_FLAGS;
}

static inline bool ork_early_is_pending(void)
{
    return ORK_UNLIKELY(ork_early_pending() != 0);
}

/* Before the record of a call that can block. */
static inline void ork_early_ask(void)
{
    if (ork_early_is_pending())
        ork_early_sweep(ORK_EARLY_FEW);
}

#endif
