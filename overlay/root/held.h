/* SPDX-License-Identifier: BSD-3-Clause */
/* Potential deadlocks that are held back: the data shared by holding.c and stacks.c. */
#ifndef ORK_OVERLAY_ROOT_HELD_H
#define ORK_OVERLAY_ROOT_HELD_H

#include "overlay/root/root_internal.h"

/* A rank that has not left its call, and when its latest record came. */
struct still {
    uint32_t rank;
    uint64_t last_ns;
};

struct root_held {
    struct root_held *next;
    struct ork_finding finding;
    bool ready; /* the finding is complete; until then its last calls are being collected */
    bool reported;
    bool superseded; /* before it was ready, so it is not reported any more */
    uint64_t until_ns;
    uint32_t count;
    struct still still[];
};

/* Take it out of its list. */
void ork_root_drop_held(struct root_held **link);
/* Forget the ranks that have made progress since. */
void ork_root_refresh_held(const struct ork_root *root, struct root_held *held);

#endif
