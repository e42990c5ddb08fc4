/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls on requests that may not be used like that: MPI-3.1 sections 3.7 to 3.9, 5.12 and 11.3.5.
 * The lock is held. */
#ifndef ORK_REQUEST_MISUSE_H
#define ORK_REQUEST_MISUSE_H

#include "interceptor/requests/requests.h"
#include "interceptor/site/site.h"
#include "interceptor/preload/thread_storage.h"

/* MPI_Start of a request that is not an inactive persistent one, as far as its flags tell. `at`:
 * where the program has it; `i`: which one of an array, negative: the call has no array. */
void ork_misuse_start(const struct ork_call *call, const struct ork_request *request,
                      const MPI_Request *at, int i) __attribute__((cold, noinline));
/* A request without a number: a Wait that is made next. */
void ork_misuse_complete(const struct ork_call *call, const struct ork_request *request,
                         const MPI_Request *at, int i) __attribute__((cold, noinline));
/* The same for a Test that has completed it. */
void ork_misuse_completed(const struct ork_call *call, const struct ork_request *request)
    __attribute__((cold, noinline));

/* Handles that this thread has tested, and that were looked up then. */
struct ork_tested {
    const MPI_Request *at;
    MPI_Request first; /* of so many handles: */
    int length;
};

enum { ORK_TESTED_KEPT = 16, ORK_TESTED_BITS = 4 };
ORK_THREAD_LOCALS(struct ork_tested, ork_tested, ORK_TESTED_KEPT);

static inline struct ork_tested *ork_tested_of(const MPI_Request *at)
{
    return &ork_tested[ork_hash_short(ORK_KEY(at)) >> (32 - ORK_TESTED_BITS)];
}

/* Look up the handles of a Test that is made next. Without the lock. */
void ork_misuse_test(const struct ork_call *call, const MPI_Request *request, int length,
                     bool is_array) __attribute__((cold, noinline));

static inline void ork_misuse_look(const struct ork_call *call, const MPI_Request *request,
                                   int length, bool is_array)
{
    const struct ork_tested *t = ork_tested_of(request);

    if (request == NULL || length <= 0 || *request == MPI_REQUEST_NULL)
        return;
    if (ORK_UNLIKELY(t->at != request || t->first != *request || t->length != length))
        ork_misuse_test(call, request, length, is_array);
}

/* Any MPI_Cancel or MPI_Request_free. */
void ork_misuse_cancel(const struct ork_call *call, const struct ork_request *request,
                       const MPI_Request *at);
void ork_misuse_free(const struct ork_call *call, const struct ork_request *request,
                     const MPI_Request *at);

#endif
