/* SPDX-License-Identifier: BSD-3-Clause */
/* What the kernel counts of the threads of a rank that are inside calls: how long they ran, how
 * long they waited for a processor, and how often they lost it although they could go on. A thread
 * that looks for messages in a loop gives the processor up by itself if the library yields. On a
 * loaded machine it then uses some microseconds a few times in a second, but it looks each time. */
#ifndef ORK_OVERLAY_ROOT_PACE_H
#define ORK_OVERLAY_ROOT_PACE_H

#include "overlay/root/snapshots.h"

/* A thread that works keeps the processor until the kernel takes it away: longer than that. */
#define ORK_PACE_RUN_NS UINT64_C(500000)
/* In so much time it looks several times. */
#define ORK_PACE_SEVERAL_NS UINT64_C(50000)
#define ORK_PACE_SEVERAL    4u
/* So many looks of a thread suffice that nothing that has arrived is left. RATIONALE: libraries
 * serve some connections only each eighth time. */
#define ORK_PACE_LOOKS 16u

struct ork_pace {
    uint64_t inside_ns; /* 0: unknown */
    uint64_t waited_ns; /* in the run queue, until it got the processor last */
    uint64_t yields;
};

static inline struct ork_pace ork_pace_of(const struct ork_snapshot *s)
{
    return (struct ork_pace){s->inside_ns, s->waited_ns, s->yields};
}

/* How often it has looked for messages since then and found nothing to do, at least: it got the
 * processor and soon gave it up, and not because it waited for its memory or a file. */
uint64_t ork_pace_looks(const struct ork_pace *since, const struct ork_pace *now);

/* In how much of the `ns` since then did it run, or sleep until something wakes it? At most the
 * time that it did not wait for a processor. */
uint64_t ork_pace_attended(const struct ork_pace *since, const struct ork_snapshot *now,
                           uint64_t ns);

#endif
