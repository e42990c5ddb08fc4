/* SPDX-License-Identifier: BSD-3-Clause */
/* A leaf with an upper side that keeps what came. */
#ifndef ORK_TEST_OVERLAY_LEAF_STAGE_H
#define ORK_TEST_OVERLAY_LEAF_STAGE_H

#include "common/clock.h"
#include "overlay/leaf/leaf.h"
#include "overlay/stream/rank_numbering.h"

#include "peer.h"

enum { SLOTS = (int)ORK_RING_RECORDS };

struct above {
    struct ork_up up;
    struct ork_rank_numbering numbers;
    struct ork_down down; /* the leaf's: told the numbers */
    unsigned attached, ended, unassigned;
    uint32_t latest_rank;
    struct ork_attached latest;
    uint64_t records, senseless;
    uint64_t told;          /* of these: as repetitions of others */
    unsigned blocks, rests; /* that were told like that: all, and those that begin inside a list */
    unsigned waves;
    uint32_t wave_ranks, wave_index; /* of the latest */
    uint64_t next[8];                /* expected `extra` of each rank's next record */
    bool in_order;
    enum ork_death how;
    uint64_t full_waits;
    size_t credit;                   /* left; SIZE_MAX: no limit */
    struct ork_snapshot snapshot[8]; /* of the latest collect */
    bool present[8];
    unsigned unseen; /* processes that used MPI without the tool */
    unsigned cuts;   /* ranks that go on unrecorded */
    uint32_t cut_rank;
    uint64_t records_at_cut;
    unsigned rounds;
    uint32_t round;
};

struct stage {
    char session[64];
    struct ork_clock clock;   /* of the leaf: it stands still but for stage_pass() and tick_ns */
    uint64_t now_ns, tick_ns; /* tick_ns: passes whenever the leaf looks at the clock */
    struct above above;
    struct ork_leaf *leaf;
};

/* Of cmocka: *state is a struct stage. */
int stage_set_up(void **state);
int stage_tear_down(void **state);

/* One step of the leaf; returns what moved. */
size_t stage_step(struct stage *s);

/* Time passes. */
void stage_pass(struct stage *s, uint64_t ms);

/* Have the state of all ranks collected; how many were there. */
unsigned stage_collect(struct stage *s);

/* A rank of this process that the leaf has taken. */
void stage_join(struct stage *s, struct peer *peer, uint32_t rank);
void stage_hang_up(struct peer *peer);

#endif
