/* SPDX-License-Identifier: BSD-3-Clause */
/* What each call has to do first, if something is switched on or pending. */
#ifndef ORK_ERRANDS_H
#define ORK_ERRANDS_H

#include "interceptor/ring/recorder.h"

/* Number of started wildcard receives with unknown source, and flags for --must:noise (noise.h),
 * --must:replay (force.h) and --must:deterministic (decisions.h), for a second thread
 * (thread_levels.h), for postponed updates (loop_body.h), for --must:callers (callers.h), and for
 * memory that the program gave back (released.h).
 * RATIONALE: one word, which each call tests, so that a call pays nothing for what is off. */
extern _Atomic uint32_t ork_errands;
#define ORK_ERRAND_NOISE     UINT32_C(0x80000000)
#define ORK_ERRAND_REPLAY    UINT32_C(0x40000000)
#define ORK_ERRAND_DECIDE    UINT32_C(0x20000000)
#define ORK_ERRAND_LEVEL     UINT32_C(0x10000000)
#define ORK_ERRAND_ITERATION UINT32_C(0x08000000)
#define ORK_ERRAND_CALLERS   UINT32_C(0x04000000)
#define ORK_ERRAND_RELEASE   UINT32_C(0x02000000)
#define ORK_ERRAND_FLAGS                                                                           \
    (ORK_ERRAND_NOISE | ORK_ERRAND_REPLAY | ORK_ERRAND_DECIDE | ORK_ERRAND_LEVEL |                 \
     ORK_ERRAND_ITERATION | ORK_ERRAND_CALLERS | ORK_ERRAND_RELEASE)

/* RATIONALE: other threads may miss it for a while; each thread sees what it has added itself. */
static inline void ork_errand_add(uint32_t flag)
{
    atomic_fetch_or(&ork_errands, flag);
}

static inline uint32_t ork_early_pending(void)
{
    return atomic_load_explicit(&ork_errands, memory_order_relaxed) & ~ORK_ERRAND_FLAGS;
}

static inline bool ork_early_is_pending(void)
{
    return ORK_UNLIKELY(ork_early_pending() != 0);
}

#endif
