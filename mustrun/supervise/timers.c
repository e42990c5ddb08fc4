/* SPDX-License-Identifier: BSD-3-Clause */
#include "mustrun/supervise/timers.h"

#include "common/clock.h"

#include <stdlib.h>
#include <unistd.h>

enum { SLOWNESS_MAX = 10 };

int64_t ork_now(void)
{
    return (int64_t)(ork_monotonic_ns() / 1000000);
}

static int64_t now(const struct ork_timers *timers)
{
    const struct ork_clock *clock = timers->clock != NULL ? timers->clock : &ork_system_clock;

    return (int64_t)(clock->monotonic_ns(clock->context) / 1000000);
}

void ork_timer_start(struct ork_timers *timers, enum ork_timer timer, int64_t milliseconds)
{
    timers->at[timer] = now(timers) + milliseconds;
}

int ork_slowness(double running, long processors)
{
    double each = processors > 0 ? running / (double)processors : 0;

    return each < 1 ? 1 : each < SLOWNESS_MAX ? (int)each : SLOWNESS_MAX;
}

int ork_slowness_now(void)
{
    double running = 0;

    if (getloadavg(&running, 1) != 1)
        return 1;
    return ork_slowness(running, sysconf(_SC_NPROCESSORS_ONLN));
}

bool ork_timer_extend(struct ork_timers *timers, enum ork_timer timer, int64_t milliseconds,
                      int slowness)
{
    if (timers->extended[timer] + 1 >= slowness)
        return false;
    timers->extended[timer]++;
    ork_timer_start(timers, timer, milliseconds);
    return true;
}

void ork_timer_hasten(struct ork_timers *timers, enum ork_timer timer, int64_t milliseconds)
{
    int64_t at = now(timers) + milliseconds;

    if (timers->at[timer] == 0 || timers->at[timer] > at)
        timers->at[timer] = at;
}

void ork_timer_stop(struct ork_timers *timers, enum ork_timer timer)
{
    timers->at[timer] = 0;
}

bool ork_timer_is_on(const struct ork_timers *timers, enum ork_timer timer)
{
    return timers->at[timer] != 0;
}

enum ork_timer ork_timer_expired(struct ork_timers *timers)
{
    int64_t time = now(timers);

    for (unsigned i = 0; i < ORK_TIMER_MAX; i++) {
        if (timers->at[i] != 0 && timers->at[i] <= time) {
            timers->at[i] = 0;
            return (enum ork_timer)i;
        }
    }
    return ORK_TIMER_MAX;
}

int ork_timer_wait(const struct ork_timers *timers)
{
    int64_t next = INT64_MAX;
    int64_t wait;

    for (unsigned i = 0; i < ORK_TIMER_MAX; i++) {
        if (timers->at[i] != 0 && timers->at[i] < next)
            next = timers->at[i];
    }
    if (next == INT64_MAX)
        return -1;
    wait = next - now(timers);
    return wait > 0 ? (int)(wait < 60000 ? wait : 60000) : 0;
}
