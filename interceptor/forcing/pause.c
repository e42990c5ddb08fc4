/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/pause.h"

#include "interceptor/outcomes/early.h"

#include <errno.h>
#include <sched.h>
#include <time.h>

enum { YIELDS = 200, SLEEP_MIN_NS = 10000, SLEEP_MAX_NS = 1000000, SWEEP_NS = 10000000 };

static void sleep_longer(struct ork_pause *p)
{
    p->sleep_ns = p->sleep_ns == 0 ? SLEEP_MIN_NS : p->sleep_ns * 2;
    if (p->sleep_ns > SLEEP_MAX_NS)
        p->sleep_ns = SLEEP_MAX_NS;
    nanosleep(&(struct timespec){.tv_nsec = p->sleep_ns}, NULL);
    p->slept_ns += p->sleep_ns;
}

static void sweep(struct ork_pause *p)
{
    bool is_due = p->slept_ns >= SWEEP_NS;

    if (is_due)
        p->slept_ns = 0;
    if (!ork_early_is_pending())
        return;
    ork_early_answer();
    if (!is_due)
        return;
    ork_lock();
    ork_early_sweep(ORK_EARLY_ALL);
    ork_unlock();
}

void ork_pause_once(struct ork_pause *p)
{
    int saved = errno;

    if (p->yields++ < YIELDS)
        sched_yield();
    else
        sleep_longer(p);
    sweep(p);
    errno = saved;
}
