/* SPDX-License-Identifier: BSD-3-Clause */
/* What the root assumes about the run: two small state machines, and the time limits of searches
 * and hangs. docs/explanation/analysis-policy.md has the diagrams. Pure: no detector, no clock. */
#ifndef ORK_OVERLAY_ROOT_POLICY_H
#define ORK_OVERLAY_ROOT_POLICY_H

#include "overlay/root/patience.h"

#include <stdbool.h>
#include <stdint.h>

/* Least time between two searches: when something has come; while a candidate is watched; and while
 * records stream in or threads may act. */
#define ROOT_PAUSE_QUIET_NS UINT64_C(2000000)
#define ROOT_PAUSE_WATCH_NS UINT64_C(10000000)
#define ROOT_PAUSE_BUSY_NS  UINT64_C(100000000)
/* A search may take at most 1/ROOT_SEARCH_SHARE of the time. */
enum { ROOT_SEARCH_SHARE = 50 };
/* Records queued in the detector that make a search due at once. */
enum { ROOT_QUEUE_FIRST = 1 << 16 };
/* Nothing has come for this time: the strict analysis catches up with the run.
 * RATIONALE: what it has to assume then, records to come may show. If it assumed this whenever all
 * ranks happen to be inside calls, then findings would depend on the times of the searches. */
#define ROOT_STILL_NS UINT64_C(500000000)
/* How long ranks that run may take to join a deadlock before it is reported without them. */
#define ROOT_JOIN_NS UINT64_C(500000000)
/* All ranks have been inside calls for this time: a hang. */
#define ROOT_HANG_NS UINT64_C(10000000000)
/* The same in a replay, after which the ranks do not wait for recorded outcomes any longer. */
#define ROOT_RELEASE_NS UINT64_C(5000000000)
/* The same in a run of an exploration, after which polls do not wait any longer. RATIONALE: short,
 * because such a state is common there; a poll that fails too early makes another order only. */
#define ROOT_EXPIRE_NS UINT64_C(50000000)
/* The same while it is uncertain whether they can continue: usually a deadlock is reported. */
#define ROOT_HANG_UNSURE_NS UINT64_C(60000000000)
/* Nothing has moved for this time, in which each rank could look for messages: the job hangs in a
 * call that is wrong. RATIONALE: longer than any transfer that a user waits for without a word. */
#define ROOT_STUCK_NS UINT64_C(60000000000)
/* Added to --must:hang-after while a deadlock is watched: the deadlock is reported within that
 * time, unless one of its ranks is stopped or gets no processor. */
#define ROOT_VERDICT_NS (ORK_PATIENCE_SLEEP_NS + UINT64_C(1000000000))

/* Does the job run until it ends by itself? */
enum root_state {
    ROOT_RUNNING,     /* yes, as far as is known */
    ROOT_HANG,        /* a hang without a known deadlock was reported; the job continues */
    ROOT_ENDING,      /* no: a finding was fatal, so mustrun ends the job */
    ROOT_INTERRUPTED, /* no: the user ends it, and there are no further searches */
};

enum root_event {
    ROOT_HANG_IS_REPORTED, /* only if ork_policy_may_report_hang() */
    ROOT_FATAL_IS_REPORTED,
    ROOT_USER_INTERRUPTS,
};

/* What the latest search found, unless it was reported; decides when the next search is due. */
enum root_candidate {
    ROOT_CANDIDATE_NONE,      /* nothing: the next search is due when something has come */
    ROOT_CANDIDATE_THREADS,   /* nothing, because other threads of a rank may act */
    ROOT_CANDIDATE_UNDECIDED, /* a deadlock; its class is not known yet */
    ROOT_CANDIDATE_POTENTIAL, /* a potential one: ranks that run may join it */
    ROOT_CANDIDATE_MANIFEST,  /* a manifest one: ranks that run may join it */
};

struct root_policy {
    enum root_state state;
    enum root_candidate candidate;
    uint64_t potential_ns; /* when the pending potential deadlock was first seen; 0: none */
    uint64_t manifest_ns;  /* when a manifest one was first seen; 0: never */
    /* RATIONALE: not a state: what comes, comes in each of them. */
    bool is_dirty;        /* something that a search can see has come since the latest one */
    uint64_t next_ns;     /* no search before this time */
    uint64_t queue_limit; /* records that may wait in the detector until the next search */
};

void ork_policy_init(struct root_policy *p);

/* The one place where the state changes. */
void ork_policy_take(struct root_policy *p, enum root_event event);
/* From here on, processes are ended from outside. */
bool ork_policy_is_ending(const struct root_policy *p);
bool ork_policy_may_report_hang(const struct root_policy *p);

/* The one place where the candidate changes. POTENTIAL and MANIFEST: after
 * ork_policy_waits_for_others(). */
void ork_policy_set_candidate(struct root_policy *p, enum root_candidate candidate);
/* There is a deadlock, and the next searches will show more of it. */
bool ork_policy_is_watching(const struct root_policy *p);
/* Should a candidate of this kind wait, so that one report names all its ranks? `others_run`: some
 * ranks are not deadlocked. `at`: now. */
bool ork_policy_waits_for_others(struct root_policy *p, enum root_candidate kind, bool others_run,
                                 uint64_t at);
/* The potential deadlock is being reported: the next one has its own time limit. */
void ork_policy_forget_potential(struct root_policy *p);

/* Is a search due? `has_moved`: something came since the latest step. `queued`: records that are
 * queued in the detector. */
bool ork_policy_is_search_due(const struct root_policy *p, uint64_t at, bool has_moved,
                              uint64_t queued);
/* May the strict analysis catch up with the run, if nothing has come for `still_ns`? */
bool ork_policy_may_catch_up(const struct root_policy *p, uint64_t still_ns, uint64_t queued);
/* A search took this time. */
void ork_policy_count_search(struct root_policy *p, uint64_t begin, uint64_t end);
/* The result of the search has been handled. */
void ork_policy_schedule(struct root_policy *p, uint64_t at, uint64_t queued);

#endif
