/* SPDX-License-Identifier: BSD-3-Clause */
/* What a polling loop may do between its polls without working: call functions that yield the
 * processor, and read a clock. Time in the former is not work; a loop that does the latter may wait
 * for a time. Both are only measured in selected gaps between two polls. */
#include "interceptor/ring/clock.h"
#include "interceptor/mpi/next.h"
#include "interceptor/ring/recorder.h"

#include <errno.h>
#include <stdatomic.h>
#include <sys/time.h>
#include <threads.h>
#include <time.h>
#include <unistd.h>

/* ---- sleeps ---- */

/* Start time of a sleep, if this gap is measured; else 0. */
static uint64_t sleep_begin(void)
{
    return ork_thread.gap.left_ns != 0 ? ork_clock_ns() : 0;
}

/* The length of the sleep. */
static uint64_t sleep_end(uint64_t begin_ns)
{
    if (ORK_LIKELY(begin_ns == 0))
        return 0;
    uint64_t ns = ork_clock_ns() - begin_ns;
    ork_thread.gap.slept_ns += ns;
    ork_thread.gap.sleeps++;
    return ns;
}

#define ORK_PUBLIC __attribute__((visibility("default")))

#define SLEEP(result, name, parameters, arguments)                                                 \
    ORK_PUBLIC result name parameters                                                              \
    {                                                                                              \
        static _Atomic(ork_function) known;                                                        \
        result(*real) parameters = (result(*) parameters)ork_find_system(&known, #name);           \
        uint64_t begin_ns = sleep_begin();                                                         \
        result r = real arguments;                                                                 \
        sleep_end(begin_ns);                                                                       \
        return r;                                                                                  \
    }

ORK_PUBLIC int sched_yield(void)
{
    static _Atomic(ork_function) known;
    int (*real)(void) = (int (*)(void))ork_find_system(&known, "sched_yield");
    uint64_t begin_ns = sleep_begin();
    int result = real();

    ork_thread.gap.is_cold |= sleep_end(begin_ns) >= ORK_POLL_AWAY_NS;
    return result;
}

SLEEP(int, nanosleep, (const struct timespec *wanted, struct timespec *left), (wanted, left))
SLEEP(int, clock_nanosleep,
      (clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left),
      (clock, flags, wanted, left))
SLEEP(int, usleep, (useconds_t microseconds), (microseconds))
SLEEP(unsigned, sleep, (unsigned seconds), (seconds))
SLEEP(int, thrd_sleep, (const struct timespec *wanted, struct timespec *left), (wanted, left))

/* ---- clocks ---- */

static inline void note_clock(void)
{
    if (ORK_UNLIKELY(ork_thread.gap.left_ns != 0))
        ork_thread.gap.clocks++;
}

ORK_PUBLIC int clock_gettime(clockid_t clock, struct timespec *time)
{
    note_clock();
    return ork_real_clock(clock, time);
}

#define CLOCK(result, name, parameters, arguments)                                                 \
    ORK_PUBLIC result name parameters                                                              \
    {                                                                                              \
        static _Atomic(ork_function) known;                                                        \
        result(*real) parameters = (result(*) parameters)ork_find_system(&known, #name);           \
        note_clock();                                                                              \
        return real arguments;                                                                     \
    }

CLOCK(int, gettimeofday, (struct timeval *restrict time, void *restrict zone), (time, zone))
CLOCK(time_t, time, (time_t * time), (time))
CLOCK(clock_t, clock, (void), ())
