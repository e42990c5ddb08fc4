/* SPDX-License-Identifier: BSD-3-Clause */
/* Waits that the records alone do not show.
 * Busy waiting: ranks that only call MPI_Test or MPI_Iprobe. If they and blocked ranks wait for
 * each other, and only the counters of polls changed between two looks, a deadlock is suspected.
 * Sleeping threads: some threads of a rank wait in MPI, the others outside MPI. These wait for the
 * threads in MPI (pthread_join, the end of a parallel region), which the classifier then examines,
 * or for something unknown, which is suspected.
 * Calls that never return, whatever other threads of their ranks do. */
#ifndef ORK_OVERLAY_ROOT_BUSY_WAIT_H
#define ORK_OVERLAY_ROOT_BUSY_WAIT_H

#include "detector/detector.h"
#include "overlay/root/snapshots.h"

/* Between two looks: the least time, and the least number of polls of each polling rank. */
#define ORK_BUSY_WAIT_NS    UINT64_C(1000000000)
#define ORK_BUSY_WAIT_POLLS 300u
/* And the least number of gaps between them that must have been measured. */
#define ORK_BUSY_WAIT_GAPS 16u
/* Consecutive looks at which a rank only polls; doubled after each suspicion of the rank that
 * proved wrong. */
#define ORK_BUSY_WAIT_LOOKS 5u
/* Consecutive looks at which a rank's threads sleep, if what could wake them is unknown. */
#define ORK_BUSY_WAIT_SLEEPS 3u

struct ork_busy_wait;

enum ork_status ork_busy_wait_create(uint32_t nprocs, struct ork_busy_wait **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_busy_wait_grow(struct ork_busy_wait *s, uint32_t nprocs);
/* NULL is allowed. */
void ork_busy_wait_destroy(struct ork_busy_wait *busy_wait);

struct ork_suspicion {
    struct ork_search *search; /* the caller's; NULL: nothing to report */
    bool is_certain;           /* these calls never return; this is not a suspicion */
    bool polls;                /* some deadlocked rank polls */
    bool
        rests; /* the detector has new threads that wait for others, or later calls: search again */
};

/* Look, at time `now_ns`. If there is something to report, the detector treats ranks that poll, or
 * that sleep for an unknown reason, as waiting: call ork_busy_wait_forget() after the report.
 * ORK_NOMEM. */
enum ork_status ork_busy_wait_observe(struct ork_busy_wait *busy_wait, struct ork_detector *d,
                                      struct ork_snapshots *snapshots, uint64_t now_ns,
                                      struct ork_suspicion *found);
/* Keep in `knots` (for each bottom knot of a suspicion) only those without a rank that is already
 * suspected and has only polled since. From now on all ranks of the suspicion that poll, or sleep
 * for an unknown reason, are suspected. Returns whether any knot is new. */
bool ork_busy_wait_news(struct ork_busy_wait *busy_wait, const struct ork_detector *d,
                        const struct ork_search *search, bool *knots);
/* By rank, of the latest look: threads wait outside MPI, and what could wake them is unknown. */
const bool *ork_busy_wait_unsure(const struct ork_busy_wait *busy_wait);
/* The detector treats no rank as polling or sleeping any more. */
void ork_busy_wait_forget(struct ork_busy_wait *busy_wait, struct ork_detector *d);

#endif
