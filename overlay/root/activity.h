/* SPDX-License-Identifier: BSD-3-Clause */
/* What each rank has done lately: its calls, and whether it was in MPI, polled, computed or slept
 * between two looks at all ranks. */
#ifndef ORK_OVERLAY_ROOT_ACTIVITY_H
#define ORK_OVERLAY_ROOT_ACTIVITY_H

#include "overlay/root/snapshots.h"

/* Least time between two looks. Less processor time than that is not significant. */
#define ORK_ACTIVITY_NS UINT64_C(50000000)
/* A rank that uses less than 1/ORK_ACTIVITY_IDLE of a processor sleeps; if it waits for one, less
 * than 1/ORK_ACTIVITY_STARVED. */
#define ORK_ACTIVITY_IDLE    50u
#define ORK_ACTIVITY_STARVED 500u
/* A rank computes between its polls if it did so in 1/ORK_ACTIVITY_BUSY of the measured gaps, or
 * for 1/ORK_ACTIVITY_WORK of the time in which it used a processor or slept. RATIONALE: what a rank
 * loses to each sleep counts as work, and may be a tenth of its processor time. */
#define ORK_ACTIVITY_BUSY 8u
#define ORK_ACTIVITY_WORK 50u
/* Or 1/ORK_ACTIVITY_LUMP, if it gets less than half a processor, and if it was not more since it
 * began to poll. RATIONALE: what others leave in the caches, and what they take of the thread's
 * time without the kernel's notice, counts as work. */
#define ORK_ACTIVITY_LUMP 10u

enum ork_doing {
    ORK_DOING_UNKNOWN,  /* not attached, or its records have not arrived yet */
    ORK_DOING_INSIDE,   /* in a call that can block, and no thread computes outside MPI */
    ORK_DOING_POLLS,    /* only unsuccessful Test or Iprobe calls */
    ORK_DOING_COMPUTES, /* outside MPI, and uses a processor */
    ORK_DOING_STARVES,  /* outside MPI, and waits for a processor: got hardly any */
    ORK_DOING_SLEEPS,   /* outside MPI, uses no processor */
};

/* The polls of a rank, from a snapshot. */
struct ork_polls {
    uint64_t polls, looks, busy, timed, work_ns, slept_ns, cpu_ns;
};

struct ork_polls ork_polls_of(const struct ork_snapshot *snapshot);
/* Did a rank do nothing but poll between two snapshots, `ns` apart? `begin`: since when it did. */
bool ork_polls_only(const struct ork_polls *begin, const struct ork_polls *before,
                    const struct ork_polls *now, uint64_t ns);

struct ork_rank_activity {
    bool known; /* from two looks: */
    enum ork_doing doing;
    /* It polled, and used more of its processor time for that than for anything else, as far as is
     * known. It may do something else as well, so this is no reason for a suspicion. */
    bool polls_mostly;
    bool is_in_call;   /* some thread is in a call that can block */
    bool has_left;     /* MPI_Finalize has returned */
    double processors; /* used on average; negative: unknown */
    bool is_runnable;  /* a thread ran at the latest look, or waited for a processor */
    uint64_t polls;    /* unsuccessful, between the two looks */
    uint64_t all_polls;
    struct ork_polled polled; /* the latest */
    uint64_t active_ns; /* when it was last seen to use a processor outside MPI, or was not seen at
                         * all; 0: never */
};

struct ork_activity;

enum ork_status ork_activity_create(uint32_t nprocs, struct ork_activity **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_activity_grow(struct ork_activity *activity, uint32_t nprocs);
/* NULL is allowed. */
void ork_activity_destroy(struct ork_activity *activity);

/* The next records of a rank, or one call of all ranks. */
void ork_activity_records(struct ork_activity *activity, uint32_t rank,
                          const struct ork_record *record, size_t n, uint32_t times);
void ork_activity_call_of_all(struct ork_activity *activity);
/* Calls of a rank that wrote a record: all except local calls and unsuccessful polls. */
uint64_t ork_activity_calls(const struct ork_activity *activity, uint32_t rank);

/* Look at all ranks, if the latest look is old enough and the snapshots are fresh; else false. */
bool ork_activity_observe(struct ork_activity *activity, struct ork_snapshots *snapshots,
                          uint64_t now_ns);
/* Is its processor time negligible? */
bool ork_rank_activity_is_idle(const struct ork_rank_activity *activity);
/* Time of the latest look; 0: none yet. */
uint64_t ork_activity_observed_ns(const struct ork_activity *activity);
const struct ork_rank_activity *ork_activity_of(const struct ork_activity *activity, uint32_t rank);

#endif
