/* SPDX-License-Identifier: BSD-3-Clause */
/* Time, in nanoseconds. */
#ifndef ORK_COMMON_CLOCK_H
#define ORK_COMMON_CLOCK_H

#include <stdint.h>

/* The source of time: the machine, or a test that advances it. */
struct ork_clock {
    void *context;
    uint64_t (*monotonic_ns)(void *context);
    uint64_t (*processor_ns)(void *context); /* processor time used by this process */
};

/* CLOCK_MONOTONIC and CLOCK_PROCESS_CPUTIME_ID. */
extern const struct ork_clock ork_system_clock;

/* The monotonic time of the machine. */
uint64_t ork_monotonic_ns(void);

#endif
