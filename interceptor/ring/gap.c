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

/* RATIONALE: a sched_yield() that takes long has let others run. A thread also sleeps on purpose
 * where nobody else runs. */
static void sleep_end(uint64_t begin_ns, bool yields)
{
    if (ORK_LIKELY(begin_ns == 0))
        return;
    uint64_t ns = ork_clock_ns() - begin_ns;
    ork_thread.gap.slept_ns += ns;
    ork_thread.gap.sleeps++;
    ork_thread.gap.losses += yields && ns >= ORK_POLL_AWAY_NS;
}

#define ORK_PUBLIC __attribute__((visibility("default")))

#define SLEEP(result, name, parameters, arguments, yields)                                         \
    ORK_PUBLIC result name parameters                                                              \
    {                                                                                              \
        static _Atomic(ork_function) known;                                                        \
        result(*real) parameters = (result(*) parameters)ork_find_system(&known, #name);           \
        uint64_t begin_ns = sleep_begin();                                                         \
        result r = real arguments;                                                                 \
        sleep_end(begin_ns, yields);                                                               \
        return r;                                                                                  \
    }

SLEEP(int, sched_yield, (void), (), true)
SLEEP(int, nanosleep, (const struct timespec *wanted, struct timespec *left), (wanted, left), false)
SLEEP(int, clock_nanosleep,
      (clockid_t clock, int flags, const struct timespec *wanted, struct timespec *left),
      (clock, flags, wanted, left), false)
SLEEP(int, usleep, (useconds_t microseconds), (microseconds), false)
SLEEP(unsigned, sleep, (unsigned seconds), (seconds), false)
SLEEP(int, thrd_sleep, (const struct timespec *wanted, struct timespec *left), (wanted, left),
      false)

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
