/* SPDX-License-Identifier: BSD-3-Clause */
/* What each rank has done lately: calls that it made, and between two looks at all ranks whether it
 * was in MPI, polled, computed or slept. */
#ifndef ORK_OVERLAY_ANALYSIS_ACTIVITY_H
#define ORK_OVERLAY_ANALYSIS_ACTIVITY_H

#include "overlay/analysis/snapshots.h"

/* Two looks are at least so far apart: less processor time than that says nothing. */
#define ORK_ACTIVITY_NS UINT64_C(50000000)
/* A rank that uses less than one part in so many of a processor sleeps. */
#define ORK_ACTIVITY_IDLE 50u
/* A rank computes between its polls if it did so in one measured gap of so many, or used one part
 * in so many of its processor time for it. */
#define ORK_ACTIVITY_BUSY 8u
#define ORK_ACTIVITY_WORK 50u

enum ork_doing {
    ORK_DOING_UNKNOWN,  /* not there, or its records are still on their way */
    ORK_DOING_INSIDE,   /* in a call that can block, and no thread computes outside MPI */
    ORK_DOING_POLLS,    /* nothing but Test or Iprobe, which find nothing */
    ORK_DOING_COMPUTES, /* outside MPI, and uses a processor */
    ORK_DOING_SLEEPS,   /* outside MPI, and does not */
};

/* What a snapshot says of polls. */
struct ork_polls {
    uint64_t polls, looks, busy, timed, work_ns, cpu_ns;
};

struct ork_polls ork_polls_of(const struct ork_snapshot *snapshot);
/* Did a rank poll between two snapshots, and do nothing else? */
bool ork_polls_only(const struct ork_polls *before, const struct ork_polls *now);

struct ork_rank_activity {
    bool known; /* of two looks: */
    enum ork_doing doing;
    bool is_in_call;   /* some thread is in a call that can block */
    bool has_left;     /* MPI_Finalize has returned */
    double processors; /* used on average; negative: not known */
    uint64_t polls;    /* in vain, between the two looks */
    uint64_t all_polls;
    struct ork_polled polled; /* the latest */
    uint64_t active_ns; /* when it last was seen to use a processor outside MPI, or not seen at all;
                           0: never */
};

struct ork_activity;

enum ork_status ork_activity_create(uint32_t nprocs, struct ork_activity **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_activity_grow(struct ork_activity *activity, uint32_t nprocs);
/* NULL is allowed. */
void ork_activity_destroy(struct ork_activity *activity);

/* The next records of a rank; or one call of all ranks. */
void ork_activity_records(struct ork_activity *activity, uint32_t rank,
                          const struct ork_record *record, size_t n);
void ork_activity_call_of_all(struct ork_activity *activity);
/* Calls of a rank that wrote a record, which is all but those that are local and polls in vain. */
uint64_t ork_activity_calls(const struct ork_activity *activity, uint32_t rank);

/* Look at all ranks, if the latest look is old enough and the snapshots fresh; false: not yet. */
bool ork_activity_observe(struct ork_activity *activity, struct ork_snapshots *snapshots,
                          uint64_t now_ns);
/* Did it use no processor to speak of? */
bool ork_rank_activity_is_idle(const struct ork_rank_activity *activity);
/* Time of the latest look; 0: there was none. */
uint64_t ork_activity_observed_ns(const struct ork_activity *activity);
const struct ork_rank_activity *ork_activity_of(const struct ork_activity *activity, uint32_t rank);

#endif
