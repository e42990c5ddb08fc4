/* SPDX-License-Identifier: BSD-3-Clause */
/* Double collect: are the ranks of a candidate inside the calls that their records say? Two rounds
 * of snapshots have to show the same. Only the deadlocked ranks are looked at: no other rank can
 * release them. */
#ifndef ORK_DOUBLE_COLLECT_H
#define ORK_DOUBLE_COLLECT_H

#include "detector/detector.h"
#include "overlay/root/snapshots.h"

struct ork_double_collect;

/* NULL becomes a new one, which the caller owns. ORK_NOMEM. */
enum ork_status ork_double_collect_grow(struct ork_double_collect **collect, uint32_t nprocs);
/* NULL is allowed. */
void ork_double_collect_destroy(struct ork_double_collect *c);
/* Forget what was seen of earlier candidates. */
void ork_double_collect_restart(struct ork_double_collect *c);

/* Which of the deadlocked ranks are looked at. */
enum ork_look {
    ORK_LOOK_AT_ALL,
    ORK_LOOK_AT_RESTING, /* those that count as deadlocked because threads of them wait for others
                          */
    ORK_LOOK_AT_LOCKS,   /* those that wait for a window lock */
};

enum ork_difference {
    ORK_UNCHANGED,
    ORK_CHANGED,  /* or not known yet: newer snapshots are needed */
    ORK_RETURNED, /* a call had returned, which the detector knows now */
};

/* If something has changed, the snapshots are not used again. */
enum ork_difference ork_double_collect_look(struct ork_double_collect *c, struct ork_detector *d,
                                            struct ork_snapshots *snapshots,
                                            const struct ork_search *s, enum ork_look which,
                                            uint64_t now_ns);

#endif
