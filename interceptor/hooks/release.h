/* SPDX-License-Identifier: BSD-3-Clause */
/* The program's calls of free(), realloc() and munmap(), which the library replaces; and
 * MPI_Free_mem. */
#ifndef ORK_RELEASE_H
#define ORK_RELEASE_H

#include "interceptor/buffers/released.h"
#include "interceptor/mpi/args.h"
#include "interceptor/site/call_record.h"

/* Call once, when MPI is initialised. */
void ork_release_init(void);

/* -- free_mem -- */

/* RATIONALE: the MPI library does not say how large its block is, so only its first byte is known.
 */
ORK_INLINE void ork_before_free_mem(const struct ork_call *call, const struct ork_args *a)
{
    struct ork_release r = {
        .low = (uint64_t)(uintptr_t)a->base, .how = "MPI_Free_mem", .site = call->site};

    r.high = r.low + 1;
    if (atomic_load_explicit(&ork_releases_matter, memory_order_relaxed) != 0 && r.low != 0 &&
        ork_released_is_near(&r) && ork_release_put(&r))
        ork_errand_add(ORK_ERRAND_RELEASE);
}

#endif
