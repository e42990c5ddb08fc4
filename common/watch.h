/* SPDX-License-Identifier: BSD-3-Clause */
/* Is another process stopped for good? A process that gets no processor is not: what counts is the
 * time in which the watching process runs itself, and what the other one does in it. */
#ifndef ORK_COMMON_WATCH_H
#define ORK_COMMON_WATCH_H

#include <stdbool.h>
#include <stdint.h>

/* So long it may be in state T (see proc(5)), if something waits for it; and else, or without a
 * sign of life. Nanoseconds. */
#define ORK_WATCH_STOPPED_NS UINT64_C(2000000000)
#define ORK_WATCH_SILENT_NS  UINT64_C(30000000000)

struct ork_watch {
    uint32_t pid;        /* 0: it cannot be seen from here */
    uint64_t at_ns;      /* latest look; 0: none yet */
    uint64_t awake_ns;   /* in which the watching process ran */
    uint64_t alive_ns;   /* of awake_ns: latest sign of life */
    uint64_t stopped_ns; /* of awake_ns: first look of these in a row at which it was stopped */
    uint64_t looked_ns;  /* of awake_ns: latest look into /proc */
    uint64_t ticks;      /* its processor time then, in clock ticks */
    bool is_stopped;
};

/* Look at it, often. `has_sign`: it has done something since the latest look. `is_awaited`:
 * something waits for it. Allocates nothing, takes no lock. */
bool ork_watch_is_stopped(struct ork_watch *w, uint64_t at_ns, bool has_sign, bool is_awaited);

#endif
