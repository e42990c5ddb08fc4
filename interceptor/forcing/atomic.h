/* SPDX-License-Identifier: BSD-3-Clause */
/* Ordered atomics (outcomes/atomics.h). From before the real call to the flush after it, an update
 * has its location for itself, so that its number is its place among all updates of the location.
 * In a replay, and in a deterministic run, it waits for its turn before. The flush is none of the
 * program's calls: no record of it is written. */
#ifndef ORK_ATOMIC_H
#define ORK_ATOMIC_H

#include "interceptor/call/accesses.h"
#include "interceptor/outcomes/atomics.h"

/* Before an access and its record; mode: enum ork_access. True: it is ordered, and ork_atomic_end()
 * has to be called. Without the recorder's lock. */
bool ork_atomic_begin(const struct ork_call *call, const struct ork_args *a, unsigned mode);

/* The outcome of an ordered atomic. */
struct ork_atomic_outcome {
    struct ork_lock location;
    uint32_t number;
    enum ork_atomic_order order;
    uint32_t operands;
    bool is_made;    /* false: the call failed; */
    bool is_counted; /* it has its number all the same, because others wait for that */
};
/* The access of the calling thread that was begun last has returned `result`. In a run of an
 * exploration, a Compare_and_swap whose outcome is free and that found another value is made again
 * until it succeeds, or no rank can go on. Without the recorder's lock. */
struct ork_atomic_outcome ork_atomic_end(const struct ork_call *call, const struct ork_args *a,
                                         unsigned mode, int result);

#endif
