/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/root/pace.h"

static uint64_t less(uint64_t a, uint64_t b)
{
    return a > b ? a - b : 0;
}

uint64_t ork_pace_looks(const struct ork_pace *since, const struct ork_pace *now)
{
    uint64_t yields = less(now->yields, since->yields);
    uint64_t used = less(now->inside_ns, since->inside_ns);
    uint64_t idle = less(yields, used / ORK_PACE_RUN_NS);

    return used / ORK_PACE_SEVERAL_NS >= yields ? idle * ORK_PACE_SEVERAL : idle;
}

/* RATIONALE: the kernel adds the time in the run queue when it is over. So of a thread that waits
 * there now, only what it used is known. */
uint64_t ork_pace_attended(const struct ork_pace *since, const struct ork_snapshot *now,
                           uint64_t ns)
{
    uint64_t used = less(now->inside_ns, since->inside_ns);

    if (!now->sleeps && used == 0)
        return 0;
    return less(ns, less(now->waited_ns, since->waited_ns));
}
