/* SPDX-License-Identifier: BSD-3-Clause */
/* A detector, and what classifies its deadlocks, without a root. */
#ifndef ORK_TEST_OVERLAY_JUDGED_JOB_H
#define ORK_TEST_OVERLAY_JUDGED_JOB_H

#include "overlay/root/classify.h"

#include "script.h"

enum { RANKS = 3 };
#define SECOND  UINT64_C(1000000000)
#define LOOK_NS UINT64_C(10000000) /* between two looks */

/* A job whose records were all taken, and what a collect shows of it. */
struct judged_job {
    struct ork_detector *d;
    struct ork_classifier *classifier;
    struct ork_snapshot snapshot[RANKS];
    bool absent[RANKS];
    struct ork_down down;
    struct ork_snapshots *snapshots;
    struct ork_call_sites *sites;
    struct ork_usages *usages;
    unsigned collects;
    unsigned moves_at; /* rank 0 publishes a record before this collect; 0: never */
    struct script script[RANKS];
    uint64_t now_ns;
};

void judged_set_state(struct judged_job *job, uint32_t rank, uint32_t thread, enum ork_state state);
/* The root has taken `n` more records of `rank`. */
void judged_take_in(struct judged_job *job, uint32_t rank, size_t n);
/* Give the detector what the scripts say; every rank is in its last call. */
void judged_play(struct judged_job *job);
int judged_set_up(void **state);
int judged_tear_down(void **state);
enum ork_verdict judged_classify_at(struct judged_job *job, uint64_t now_ns, bool final);
enum ork_verdict judged_classify(struct judged_job *job);
/* Ranks 0 and 1 wait for each other's message, rank 2 for rank 0's. */
void judged_recv_recv(struct judged_job *job);
void judged_send_send(struct judged_job *job);

#endif
