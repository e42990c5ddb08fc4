/* SPDX-License-Identifier: BSD-3-Clause */
/* A detector, and what decides whether a rank waits although it is busy: rank 0 polls. */
#ifndef ORK_TEST_OVERLAY_POLLER_JOB_H
#define ORK_TEST_OVERLAY_POLLER_JOB_H

#include "overlay/root/activity.h"
#include "overlay/root/busy_wait.h"

#include "script.h"

enum { RANKS = 2, LOOKS = 320 };

/* Rank 0 polls, rank 1 is in its last call. */
struct poller_job {
    struct ork_detector *d;
    struct ork_busy_wait *busy_wait;
    struct ork_snapshot snapshot[RANKS];
    struct ork_down down;
    struct ork_snapshots *snapshots;
    struct script script[RANKS];
    uint64_t now_ns;
    struct ork_suspicion found; /* by the latest look; its search is gone */
    bool news;                  /* that one is told */
    struct ork_rank_view poller;
};

/* What rank 0 did in an interval. */
struct doing {
    uint64_t polls;
    uint64_t busy;    /* gaps between polls in which it worked, of LOOKS */
    uint64_t timed;   /* gaps in which it read a clock */
    uint64_t work_ns; /* beside its polls */
    uint64_t slept_ns;
};

int poller_set_up(void **state);
int poller_tear_down(void **state);
/* The root has taken `n` more records of `rank`. */
void poller_take_in(struct poller_job *job, uint32_t rank, size_t n);
void poller_play(struct poller_job *job);
/* One interval later. Is there a suspicion? */
bool poller_look_at(struct poller_job *job, struct doing doing);
bool poller_look(struct poller_job *job, uint64_t polls);

#endif
