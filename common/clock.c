/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/clock.h"

#include <time.h>

static uint64_t read_clock(clockid_t clock)
{
    struct timespec t;

    clock_gettime(clock, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t ork_monotonic_ns(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

static uint64_t monotonic_ns(void *context)
{
    (void)context;
    return ork_monotonic_ns();
}

static uint64_t processor_ns(void *context)
{
    (void)context;
    return read_clock(CLOCK_PROCESS_CPUTIME_ID);
}

const struct ork_clock ork_system_clock = {.monotonic_ns = monotonic_ns,
                                           .processor_ns = processor_ns};
