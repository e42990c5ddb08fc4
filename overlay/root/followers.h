/* SPDX-License-Identifier: BSD-3-Clause */
/* What some runs want to know of the records of the ranks, beside the detector. Each follower is a
 * table; followers.c has the list of them, in whose order they are called. */
#ifndef ORK_OVERLAY_ROOT_FOLLOWERS_H
#define ORK_OVERLAY_ROOT_FOLLOWERS_H

#include "order/causality/causality.h"
#include "overlay/root/root.h"

/* What has to come to a follower. Each includes those before. */
enum ork_need {
    ORK_NEED_CHANGES, /* what no iteration of all ranks repeats, and no call that all ranks make */
    ORK_NEED_RANKS,   /* the calls of each rank, also those that all ranks make */
    ORK_NEED_ALL,     /* the records of each iteration */
};

/* Each function may be NULL: there is nothing to do. Those that return a status return ORK_NOMEM,
 * and then no other follower is called. */
struct ork_follower {
    bool is_of_first_job; /* records and ends of the ranks of other jobs do not come to it */
    enum ork_status (*create)(struct ork_root *root, uint32_t nprocs);
    void (*destroy)(struct ork_root *root); /* also after a `create` that failed */
    enum ork_status (*feed)(struct ork_root *root, uint32_t rank, const struct ork_record *record,
                            size_t n);
    enum ork_status (*end)(struct ork_root *root, uint32_t rank, enum ork_causal_end how);
    enum ork_need (*need)(const struct ork_root *root); /* now; NULL: ORK_NEED_CHANGES */
    /* What else a later record depends on: see struct ork_fold_sink. One follower at most. */
    bool (*state)(const struct ork_root *root, size_t limit, struct ork_words *state);
    /* The run is over: all finish, then deadlocks are searched for, and then all report. */
    enum ork_status (*finish)(struct ork_root *root);
    enum ork_status (*report)(struct ork_root *root);
    enum ork_status (*summary)(struct ork_root *root, struct ork_report *report);
};

enum { ORK_FOLLOWERS_MAX = 11 };

/* Those of this run. */
struct root_following {
    const struct ork_follower *follower[ORK_FOLLOWERS_MAX];
    uint32_t count;
    uint32_t first_job; /* its ranks */
};

extern const struct ork_follower ork_follow_replay;       /* reporting.c */
extern const struct ork_follower ork_follow_decisions;    /* deterministic.c */
extern const struct ork_follower ork_follow_alternatives; /* alternatives.c */
extern const struct ork_follower ork_follow_expiry;       /* expiry.c */
extern const struct ork_follower ork_follow_races;        /* races.c */
extern const struct ork_follower ork_follow_conflicts;    /* conflicts.c */
extern const struct ork_follower ork_follow_unread;       /* unread.c */
extern const struct ork_follower ork_follow_unlooked;     /* unlooked.c */
extern const struct ork_follower ork_follow_unhooked;     /* unhooked.c */
extern const struct ork_follower ork_follow_unordered;    /* unordered.c */
extern const struct ork_follower ork_follow_pause;        /* pause.c */

/* A `need` that is always ORK_NEED_ALL. */
static inline enum ork_need ork_need_all(const struct ork_root *root)
{
    (void)root;
    return ORK_NEED_ALL;
}

/* Call the function of all followers that this run wants. */
enum ork_status ork_followers_create(struct ork_root *root, uint32_t nprocs);
void ork_followers_destroy(struct ork_root *root);
enum ork_status ork_followers_feed(struct ork_root *root, uint32_t rank,
                                   const struct ork_record *record, size_t n);
enum ork_status ork_followers_end(struct ork_root *root, uint32_t rank, enum ork_causal_end how);
enum ork_need ork_followers_need(const struct ork_root *root); /* the most that one needs */
bool ork_followers_state(const struct ork_root *root, size_t limit, struct ork_words *state);
enum ork_status ork_followers_finish(struct ork_root *root);
enum ork_status ork_followers_report(struct ork_root *root);
enum ork_status ork_followers_summary(struct ork_root *root, struct ork_report *report);

#endif
