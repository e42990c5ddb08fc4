/* SPDX-License-Identifier: BSD-3-Clause */
/* A leaf with an upper side that keeps what came. */
#ifndef ORK_TEST_OVERLAY_LEAF_STAGE_H
#define ORK_TEST_OVERLAY_LEAF_STAGE_H

#include "overlay/leaf.h"

#include "peer.h"

enum { SLOTS = (int)ORK_RING_RECORDS };

struct above {
    struct ork_up up;
    unsigned attached, ended;
    struct ork_attached latest;
    uint64_t records, senseless;
    uint64_t next[8]; /* expected `extra` of each rank's next record */
    bool in_order;
    enum ork_death how;
    uint64_t full_waits;
    size_t credit;
};

struct stage {
    char session[64];
    struct above above;
    struct ork_leaf *leaf;
};

/* Of cmocka: *state is a struct stage. */
int stage_set_up(void **state);
int stage_tear_down(void **state);

/* One step of the leaf; returns what moved. */
size_t stage_step(struct stage *s);

/* A rank of this process that the leaf has taken. */
void stage_join(struct stage *s, struct peer *peer, uint32_t rank);
void stage_hang_up(struct peer *peer);

#endif
