/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/touch_lock.h"

#include "interceptor/ring/clock.h"
#include "interceptor/site/site.h"

#include <time.h>

bool ork_touch_lock(void)
{
    enum { LONGEST_NS = 10000000, SECOND_NS = 1000000000 };

    if (pthread_mutex_trylock(&ork_recorder.lock) == 0)
        return true;
    uint64_t until = ork_clock_ns() + LONGEST_NS;
    struct timespec t = {.tv_sec = (time_t)(until / SECOND_NS),
                         .tv_nsec = (long)(until % SECOND_NS)};
    return pthread_mutex_clocklock(&ork_recorder.lock, CLOCK_MONOTONIC, &t) == 0;
}

void ork_touch_unlock(void)
{
    pthread_mutex_unlock(&ork_recorder.lock);
}

/* RATIONALE: a new site has a record, for which the lock is needed. */
bool ork_touch_site(uintptr_t code, uint32_t *id)
{
    if (!ork_touch_lock())
        return false;
    ork_touch_unlock();
    const struct ork_site *site = ork_site_of(code);
    *id = site->caller == ORK_CALLER_APPLICATION ? site->id : 0;
    return true;
}
