/* SPDX-License-Identifier: BSD-3-Clause */
/* Potential deadlocks that are not reported yet: the data shared by delayed_policy.c and stacks.c.
 */
#ifndef ORK_OVERLAY_ROOT_DELAYED_FINDING_H
#define ORK_OVERLAY_ROOT_DELAYED_FINDING_H

#include "overlay/root/root_internal.h"

/* A rank that has not left its call, and when its latest record came. */
struct still {
    uint32_t rank;
    uint64_t last_ns;
};

struct delayed_finding {
    struct delayed_finding *next;
    struct ork_finding finding;
    bool ready; /* the finding is complete; until then its last calls are being collected */
    bool reported;
    bool superseded; /* before it was ready, so it is not reported any more */
    uint64_t until_ns;
    uint32_t count;
    struct still still[];
};

/* Take it out of its list. */
void ork_root_drop_delayed(struct delayed_finding **link);
/* Forget the ranks that have made progress since. */
void ork_root_refresh_delayed(const struct ork_root *root, struct delayed_finding *delayed);

#endif
