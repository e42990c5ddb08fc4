/* SPDX-License-Identifier: BSD-3-Clause */
/* What the records alone do not tell. Busy waiting: ranks that do nothing but call MPI_Test or
 * MPI_Iprobe; if they and blocked ranks wait for each other, and between two looks nothing but the
 * counters of polls changed, a deadlock is suspected. And ranks of which some threads wait in MPI,
 * and the others, outside MPI, for something: for the threads in MPI (pthread_join, the end of a
 * parallel region), which the classifier then looks at; or for what nobody knows, which is
 * suspected. And calls that never return, whatever other threads of their ranks do. */
#ifndef ORK_OVERLAY_ANALYSIS_BUSY_WAIT_H
#define ORK_OVERLAY_ANALYSIS_BUSY_WAIT_H

#include "detector/detector.h"
#include "overlay/analysis/snapshots.h"

/* Between two looks: at least so long, and so many polls of each polling rank. */
#define ORK_BUSY_WAIT_NS    UINT64_C(1000000000)
#define ORK_BUSY_WAIT_POLLS 300u
/* And so many of the gaps between them must have been measured. */
#define ORK_BUSY_WAIT_GAPS 16u
/* Looks in a row that find a rank do nothing but poll; twice as many after each suspicion of the
 * rank that turned out to be wrong. */
#define ORK_BUSY_WAIT_LOOKS 5u
/* Looks in a row that find a rank's threads asleep, where nobody knows who could wake them. */
#define ORK_BUSY_WAIT_SLEEPS 3u

struct ork_busy_wait;

enum ork_status ork_busy_wait_create(uint32_t nprocs, struct ork_busy_wait **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_busy_wait_grow(struct ork_busy_wait *s, uint32_t nprocs);
/* NULL is allowed. */
void ork_busy_wait_destroy(struct ork_busy_wait *busy_wait);

struct ork_suspicion {
    struct ork_search *search; /* the caller's; NULL: there is nothing to tell */
    bool is_certain;           /* these calls never return, it is no suspicion */
    bool polls;                /* some deadlocked rank polls */
    bool rests; /* the detector was told of threads that wait for others: have it searched */
};

/* Look, at time `now_ns`. If there is something to tell, ranks that poll, or of which nobody knows
 * who could wake them, count as waiting in the detector: ork_busy_wait_forget() after the report.
 * ORK_NOMEM. */
enum ork_status ork_busy_wait_observe(struct ork_busy_wait *busy_wait, struct ork_detector *d,
                                      struct ork_snapshots *snapshots, uint64_t now_ns,
                                      struct ork_suspicion *found);
/* Mark in `knots` (for each bottom knot of a suspicion) those without a rank that is suspected
 * already and has made no call but polls since. From now on all ranks of the suspicion that poll,
 * or of which nobody knows who could wake them, are suspected. Are there any new? */
bool ork_busy_wait_news(struct ork_busy_wait *busy_wait, const struct ork_detector *d,
                        const struct ork_search *search, bool *knots);
/* By rank, of the latest look: threads outside MPI wait, and nobody knows who could wake them. */
const bool *ork_busy_wait_unsure(const struct ork_busy_wait *busy_wait);
/* No rank polls or sleeps any more, as far as the detector is concerned. */
void ork_busy_wait_forget(struct ork_busy_wait *busy_wait, struct ork_detector *d);

#endif
