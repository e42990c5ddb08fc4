/* SPDX-License-Identifier: BSD-3-Clause */
/* What a loop that polls may do between its polls without working: functions by which it gives its
 * processor away, and those that read a clock. What the former take is no work; who does the latter
 * may wait for a time. It is minded in those gaps between two polls that are measured, nowhere
 * else.
 */
#include "interceptor/next.h"
#include "interceptor/recorder.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* The next one in the search order; there is one, for the C library has them all. */
static int real_clock(clockid_t clock, struct timespec *time)
{
    static _Atomic(ork_function) known;
    int (*real)(clockid_t, struct timespec *) =
        (int (*)(clockid_t, struct timespec *))ork_find_next(&known, "clock_gettime");

    return real(clock, time);
}

uint64_t ork_clock_ns(void)
{
    struct timespec t;

    real_clock(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

/* ---- naps ---- */

/* Time when a nap begins, if it is to be measured; else 0. */
static uint64_t nap_begin(void)
{
    return ork_thread.gap.left_ns != 0 ? ork_clock_ns() : 0;
}

static void nap_end(uint64_t begin_ns)
{
    if (ORK_LIKELY(begin_ns == 0))
        return;
    ork_thread.gap.naps_ns += ork_clock_ns() - begin_ns;
    ork_thread.gap.naps++;
}

#define ORK_PUBLIC __attribute__((visibility("default")))

#define NAP(result, name, parameters, arguments)                                                   \
    ORK_PUBLIC result name parameters                                                              \
    {                                                                                              \
        static _Atomic(ork_function) known;                                                        \
        result(*real) parameters = (result(*) parameters)ork_find_next(&known, #name);             \
        uint64_t begin_ns = nap_begin();                                                           \
        result r = real arguments;                                                                 \
        nap_end(begin_ns);                                                                         \
        return r;                                                                                  \
    }

NAP(int, sched_yield, (void), ())
NAP(int, nanosleep, (const struct timespec *wanted, struct timespec *left), (wanted, left))
NAP(int, clock_nanosleep,
    (clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left),
    (clock, flags, wanted, left))
NAP(int, usleep, (useconds_t microseconds), (microseconds))
NAP(unsigned, sleep, (unsigned seconds), (seconds))
NAP(int, thrd_sleep, (const struct timespec *wanted, struct timespec *left), (wanted, left))

/* ---- clocks ---- */

static inline void note_clock(void)
{
    if (ORK_UNLIKELY(ork_thread.gap.left_ns != 0))
        ork_thread.gap.clocks++;
}

ORK_PUBLIC int clock_gettime(clockid_t clock, struct timespec *time)
{
    note_clock();
    return real_clock(clock, time);
}

#define CLOCK(result, name, parameters, arguments)                                                 \
    ORK_PUBLIC result name parameters                                                              \
    {                                                                                              \
        static _Atomic(ork_function) known;                                                        \
        result(*real) parameters = (result(*) parameters)ork_find_next(&known, #name);             \
        note_clock();                                                                              \
        return real arguments;                                                                     \
    }

CLOCK(int, gettimeofday, (struct timeval *restrict time, void *restrict zone), (time, zone))
CLOCK(time_t, time, (time_t * time), (time))
CLOCK(clock_t, clock, (void), ())
