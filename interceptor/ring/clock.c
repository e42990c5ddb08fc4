/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/ring/clock.h"

#include "interceptor/mpi/next.h"

#include <stdatomic.h>

/* The next one in the search order always exists: the C library has it. */
int ork_real_clock(clockid_t clock, struct timespec *time)
{
    static _Atomic(ork_function) known;
    int (*real)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))ork_find_system(&known, "clock_gettime");

    return real(clock, time);
}

uint64_t ork_clock_ns(void)
{
    struct timespec t;

    ork_real_clock(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}
