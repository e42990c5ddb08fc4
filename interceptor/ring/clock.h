/* SPDX-License-Identifier: BSD-3-Clause */
/* The clock of the C library. The interceptor itself defines clock_gettime(): see gap.c. */
#ifndef ORK_INTERCEPTOR_CLOCK_H
#define ORK_INTERCEPTOR_CLOCK_H

#include <stdint.h>
#include <time.h>

/* clock_gettime() of the C library. */
int ork_real_clock(clockid_t clock, struct timespec *time);
/* Nanoseconds of the monotonic clock. */
uint64_t ork_clock_ns(void);

#endif
