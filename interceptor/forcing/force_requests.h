/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent receives whose source may be given when they are started, and others of a replay whose
 * rank has diverged (force_posts.h). The source of a persistent request cannot be changed, so each
 * start becomes a nonblocking receive from the recorded source, the stand-in; calls that complete
 * the persistent request complete the stand-in. */
#ifndef ORK_FORCE_REQUESTS_H
#define ORK_FORCE_REQUESTS_H

#include "interceptor/forcing/deferred.h"

#include <stdatomic.h>

struct ork_persistent {
    MPI_Request handle;
    struct ork_receive receive; /* as the application gave it */
    MPI_Request stand_in;       /* MPI_REQUEST_NULL: not active, or started with its wildcards */
    bool is_once; /* it is no persistent one, but a cancelled receive that was posted again */
};

/* Remember a request, or forget it. False: out of memory. */
bool ork_persistent_add(const struct ork_persistent *request);
void ork_persistent_remove(MPI_Request handle);
bool ork_persistent_any(void);
/* A copy. False: not such a request. */
bool ork_persistent_find(MPI_Request handle, struct ork_persistent *found);
/* A copy of the n-th one, from 0. False: there are not so many. */
bool ork_persistent_get(uint32_t n, struct ork_persistent *found);
void ork_persistent_started(MPI_Request handle, MPI_Request stand_in);

/* The requests of a completing call with stand-ins in their places. */
enum { ORK_SWAP_FEW = 32 };
struct ork_swap {
    MPI_Request *own; /* the application's */
    MPI_Request *request;
    int count;
    MPI_Request few[ORK_SWAP_FEW];
};

extern _Atomic uint32_t ork_stand_ins; /* active ones */
void ork_swap_in_active(struct ork_swap *swap);
void ork_swap_out_active(struct ork_swap *swap);

/* Prepare, and give the results back. If no stand-in is active, `request` is `own`. */
static inline void ork_swap_in(struct ork_swap *swap, int count, MPI_Request *own)
{
    swap->own = own;
    swap->request = own;
    swap->count = count;
    if (atomic_load_explicit(&ork_stand_ins, memory_order_relaxed) > 0 && count > 0)
        ork_swap_in_active(swap);
}

static inline void ork_swap_out(struct ork_swap *swap)
{
    if (swap->request != swap->own)
        ork_swap_out_active(swap);
}

#endif
