/* SPDX-License-Identifier: BSD-3-Clause */
/* Where the handles of pending requests were stored. A call that stores another one there loses the
 * handle, unless the program has a copy: so it is a mistake only if the request is never completed
 * (MPI-3.1 section 3.7.3), which the detector finds out. */
#ifndef ORK_STORED_H
#define ORK_STORED_H

#include "interceptor/requests/requests.h"
#include "interceptor/site/site.h"
#include "interceptor/preload/thread_storage.h"

/* A handle that the library has stored for this thread. */
struct ork_stored {
    const MPI_Request *at; /* NULL: none */
    MPI_Request handle;
    uint32_t id, serial; /* of the request, see ork_request_serial() */
};

/* RATIONALE: few, so that they stay in the cache. A place that is not known any more is only not
 * named. */
enum { ORK_STORED_KEPT = 64, ORK_STORED_BITS = 6 };
ORK_THREAD_LOCALS(struct ork_stored, ork_stored, ORK_STORED_KEPT);

static inline struct ork_stored *ork_stored_of(const MPI_Request *at)
{
    return &ork_stored[ork_hash_short(ORK_KEY(at)) >> (32 - ORK_STORED_BITS)];
}

/* Before a call stores a handle: is one there that this thread stored? */
static inline void ork_stored_look(const MPI_Request *at)
{
    const struct ork_stored *s = ork_stored_of(at);

    ork_thread.loses = at != NULL && s->at == at && *at == s->handle ? at : NULL;
}

/* RATIONALE: a language layer has a variable of its own, and copies the handle from there; and so
 * may another tool. */
static inline bool ork_stored_is_in_program(const struct ork_call *call)
{
    uint32_t caller = ork_site_of((uintptr_t)call->address)->caller;

    return caller != ORK_CALLER_BINDING && caller != ORK_CALLER_TOOL;
}

/* The handle that was there is lost (call.c). */
void ork_stored_lose(const struct ork_call *call, const MPI_Request *at)
    __attribute__((cold, noinline));

/* The call has stored a handle, of this request. The lock is held. */
static inline void ork_stored_put(const struct ork_call *call, const MPI_Request *at, uint32_t id)
{
    if (ORK_UNLIKELY(ork_thread.loses == at))
        ork_stored_lose(call, at);
    if (ORK_LIKELY(id < ORK_REQUEST_SHARED && ork_stored_is_in_program(call)))
        *ork_stored_of(at) = (struct ork_stored){at, *at, id, ork_request_serial(id)};
}

#endif
