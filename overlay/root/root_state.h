/* SPDX-License-Identifier: BSD-3-Clause */
/* What the root knows: its parts, and which file each belongs to. */
#ifndef ORK_OVERLAY_ROOT_ROOT_STATE_H
#define ORK_OVERLAY_ROOT_ROOT_STATE_H

#include "detector/detector.h"
#include "detector/fold/fold.h"
#include "order/explore/alternatives.h"
#include "overlay/root/activity.h"
#include "overlay/root/busy_wait.h"
#include "overlay/root/call_rates.h"
#include "overlay/root/classify.h"
#include "overlay/root/followers.h"
#include "overlay/root/order.h"
#include "overlay/root/policy.h"
#include "overlay/root/root.h"
#include "overlay/root/pace.h"
#include "overlay/root/snapshots.h"
#include "overlay/root/usages.h"
#include "overlay/findings/call_sites.h"
#include "overlay/findings/ends.h"
#include "overlay/stream/rank_numbering.h"
#include "overlay/stream/trace.h"
#include "record/devices.h"

/* ---- its parts: docs/explanation/analysis-policy.md ---- */

/* The state of ork_root_now(). */
struct root_time {
    const struct ork_clock *clock;
    uint64_t begun_ns;
    uint64_t last_ns;    /* when it was asked for last */
    uint64_t stopped_ns; /* how long this process has been stopped */
    uint64_t step_ns;    /* processor time when the latest step began */
};

/* Records that arrived before the size of the job, or the end of a rank, was known. */
struct early {
    struct early *next;
    uint32_t rank;
    bool is_end;
    enum ork_end end;
    size_t n;
    struct ork_record record[];
};

/* Input from the leaves: root.c. */
struct root_input {
    struct ork_rank_numbering numbers;
    struct ork_trace *trace;
    bool trace_failed;
    struct early *early, **early_end;
    uint32_t leaves;
    uint32_t attached, ended, unassigned; /* processes */
    struct ork_u32s starting;             /* ranks that attached while none had passed MPI_Init */
    uint32_t living, living_attached;     /* at the latest ork_root_take_living() */
    uint32_t other_runtimes;              /* ORK_F_OTHER_RUNTIME: ranks */
    bool *is_cut;                         /* by rank: it goes on unrecorded */
    uint32_t num_cut;
    char *lost; /* lost tool processes and their ranks: one sentence each */
    uint64_t full_waits, tool_waits;
    uint32_t refusing; /* ranks that found another user at a leaf's address */
    uint32_t first_refusing;
    uint32_t *order_conts; /* by rank: continuation records of an ORDER record that are left */
    /* When the latest record of each rank came, the latest call of all at once, and the latest
     * record or end of any rank. */
    uint64_t *last_ns;
    uint64_t wave_ns, change_ns;
    /* RATIONALE: not a state: what comes, comes in each of them. */
    bool has_moved;    /* something came since the latest step */
    uint64_t taken_ns; /* when; 0: nothing has come */
};

/* The latest look at the state of the run: observe.c, watchdog.c. */
struct root_look {
    uint64_t at_ns;
    bool is_all_inside;
    uint64_t watched_ns; /* the ranks were looked at without a gap since then */
    uint64_t looked_ns;  /* the latest look that the watchdog knows of, whoever made it */
    uint64_t still_ns;   /* the latest progress before it said that there is none; 0: it has not */
    uint64_t change_ns;  /* the change after which these were taken: */
    struct ork_pace *begin; /* by rank */
    uint32_t ranks, room;
};

/* Ranks that ended, except those that the tool ended or that ended because of it: abnormal.c. */
struct root_abnormal {
    enum {
        ABNORMAL_NONE,     /* no rank ended abnormally */
        ABNORMAL_SEEN,     /* a rank did, at seen_ns: others may follow */
        ABNORMAL_REPORTED, /* and later ends are not reported */
        ABNORMAL_AWAITED,  /* others wait for it; the launcher should end them until stuck_ns */
    } stage;
    struct ork_ends ends;
    uint64_t seen_ns, stuck_ns;
    uint64_t checked_ns; /* the change after which ranks that wait were last searched for */
};

/* A status request, until it is answered: status.c. */
struct question {
    enum { QUESTION_NONE, QUESTION_ASKED, QUESTION_LOOKED, QUESTION_STACKS } stage;
    bool is_requested; /* by the user; otherwise only for a run that is stopped */
    uint64_t since_ns;
    struct ork_answer answer; /* from QUESTION_STACKS on */
    uint32_t rank[8];         /* ranks whose stacks are wanted; one at a time */
    uint32_t count, next;
    bool is_waiting;         /* for the one before `next` */
    bool awaits_calls;       /* the last calls of ranks */
    uint64_t *reported;      /* calls of each rank at the last answer */
    uint32_t reported_ranks; /* size of `reported` */
    uint64_t reported_ns;    /* time of that answer; 0: none yet */
};

/* The run is stopped: stopped.c. */
struct stopped {
    bool is_pending; /* the complete report is being made, since then: */
    uint64_t since_ns;
    struct ork_ends ends; /* of ranks since then */
};

/* The search for alternative matches during a hang: interleaving.c. It restarts with each record
 * that comes. */
struct hang {
    enum {
        HANG_NEW,   /* the ranks may still be asked for sources */
        HANG_ASKED, /* search as long as every rank is inside a call */
        HANG_OVER,  /* nothing to search, or nothing more to find */
    } stage;
    struct ork_interleaving *interleaving;
    enum ork_interleave_result result;
    uint64_t change_ns, used_ns;
    uint64_t budget_ns, pause_ns; /* of searching, and when to continue with twice the budget */
};

/* Memory has run short since then; 0: it has not. interleaving.c. */
struct shortage {
    uint64_t since_ns;
    bool is_probed;
};

/* The search for alternative matches during the run and at its end: history.c. */
struct root_history {
    uint64_t searched_size; /* size of the history at the latest search, */
    uint64_t seen_size;     /* and at the latest look */
    bool is_partial;        /* some search was not exhaustive */
    bool is_found;          /* a deadlock: nothing more is searched */
    /* The part of the history that is being searched. NULL: none; --must:probe thorough: then on
     * the assumption that the ranks make the same calls. */
    struct ork_interleaving *part, *part_anyhow;
    uint64_t slice;         /* steps of the next search of the part */
    uint64_t steps, ns;     /* of the searches of the part */
    uint64_t all_steps;     /* of all parts */
    uint64_t retry_at;      /* records of the run at which the next try is made to begin anew */
    uint64_t busy_until_ns; /* all processors were in use: when to look again */
};

/* A bottom knot that was reported. */
struct reported {
    uint64_t signature;
    enum ork_class class_;
};

/* A blocking send in one of them. */
struct reported_send {
    uint32_t rank, site;
    int32_t tag;
};

/* A rank of a replay that is to stop: its process, and the call before which it is held. */
struct root_process {
    uint32_t pid;
    char *host; /* NULL: it has not attached */
    bool is_held;
    uint32_t call, site;
};

/* What the leaves know of the fold: folding.c. */
struct root_folding {
    bool leaves_know;  /* they were told that it is on, */
    uint64_t on_ns;    /* and it was so at that time, at the latest */
    uint64_t moved_ns; /* latest step in which it was off, or all ranks repeated their iterations */
};

/* --must:stop-at: pause.c. */
struct root_pause {
    enum { PAUSE_NONE, PAUSE_ON, PAUSE_OVER } stage;
    struct root_process *process; /* by rank */
    uint32_t num_processes;
    uint32_t call, site; /* where the run stopped */
    uint64_t since_ns;   /* when it did */
    bool is_reported;
};

/* What was and will be reported: reporting.c. */
struct root_reports {
    struct reported *knot;
    uint32_t count;
    uint64_t *stuck; /* by rank: its call in a manifest deadlock; 0: none */
    uint32_t num_stuck;
    struct reported_send *send;
    uint32_t num_sends;
    uint32_t issues; /* issues of the detector that were reported in order */
    bool *is_early;  /* those that were reported out of order */
    uint32_t num_early;
    uint32_t with_calls;            /* reported with ork_root_report_with_calls() */
    uint32_t faulty;                /* the latest rank with invalid records; UINT32_MAX: none */
    struct root_returned *returned; /* returned.c; NULL until there is one */
    char *end; /* how the run ended because of an issue of its first cause; NULL: it did not */
    double seconds_to_verdict;  /* of the first manifest deadlock; negative: none */
    char *hang;                 /* the message of a hang that nothing explains; NULL: none */
    struct root_stacks *stacks; /* findings that wait for call stacks: stacks.c */
    struct delayed_finding
        *delayed; /* potential deadlocks that are not reported yet: delayed_policy.c */
};

/* Processes that used MPI and could not be observed: unseen.c. */
struct root_unseen {
    uint32_t count[ORK_UNSEEN_MAX]; /* by reason */
    struct ork_unseen latest;       /* that names its library, if one has */
    bool is_reported;               /* launcher-mismatch */
};

/* The calls whose buffers are in one kind of device memory. RATIONALE: ranks with one program
 * number their places alike, so those of one number are taken for one call. */
enum { ROOT_CALLS_ON_DEVICE = 32 };
struct root_on_device {
    uint32_t num_calls;
    bool has_more;
    struct {
        uint32_t rank, site;
        uint16_t call;
    } of[ROOT_CALLS_ON_DEVICE];
};

/* Buffers that were not read: unread.c. */
struct root_unread {
    uint64_t buffers;        /* that could not be read; 0: none; then rank and first mean nothing */
    uint32_t rank;           /* of the first one, */
    struct ork_record first; /* and its UNREAD record */
    struct root_on_device on[ORK_DEVICE_MAX];
};

/* What the tool does not look at, and this run has: unlooked.c. */
struct root_unlooked {
    bool *has_window; /* by rank of the first job: memory whose loads and stores are not seen */
    bool is_sampled;  /* large send buffers are */
    bool has_spawned; /* the first job made processes, which may not be observed */
};

/* Calls of functions without a hook: unhooked.c. */
struct root_unhooked_function {
    uint16_t call;
    uint32_t ranks;  /* size of the array, */
    uint64_t *times; /* how often each rank called it */
};
struct root_unhooked {
    struct root_unhooked_function *function;
    uint32_t count, room;
};

struct ork_root {
    struct ork_root_options options;
    const struct ork_report_sink *sink;
    struct ork_down down;
    struct root_time time;
    struct root_input input;
    struct root_unseen unseen;
    struct root_unread unread;
    struct root_unlooked unlooked;
    struct root_unhooked unhooked;
    bool ranks_are_gone; /* ork_root_finish() has begun: no rank is left to take a stack of */

    /* The state of the ranks; NULL and 0 until the size of the job is known. */
    uint32_t nprocs;
    struct ork_detector *detector;
    struct ork_fold *fold; /* before the detector; NULL: every record is needed */
    struct root_folding folding;
    struct root_following following; /* these: */
    struct ork_call_sites *sites;
    struct ork_classifier *classifier;
    struct ork_busy_wait *busy_wait;
    struct ork_activity *activity;
    struct ork_call_rates *rates;
    struct ork_recording *recording;
    struct root_decisions *decisions;       /* NULL: the run is not deterministic */
    struct root_alternatives *alternatives; /* NULL: nobody wants to know them */
    struct root_expiry *expiry;             /* the same */
    struct root_races *races;               /* NULL: no --must:races */
    struct root_conflicts *conflicts;       /* NULL: --must:rma off */
    struct root_unordered *unordered;       /* NULL: nobody wants the order of the run */
    struct ork_usages *usages;
    uint64_t still_ns;    /* the change after which the analysis last caught up: schedule.c */
    uint64_t released_ns; /* the change after which a replay was last released: schedule.c */
    bool has_diverged;    /* some rank of a replay */
    struct ork_snapshots *snapshots; /* from ork_root_set_down() on */
    struct root_look look;

    /* What the root assumes, and when it searches. */
    struct root_policy policy;
    /* Independent of the policy: each part has its own state. */
    struct root_abnormal abnormal;
    struct hang hang;
    struct shortage short_of;
    struct root_history history;
    struct root_mismatch *mismatch; /* mismatch.c; NULL until there is an error */
    struct root_stuck *stuck;       /* stuck.c; NULL until it was first looked for */
    struct question question;
    struct stopped stopped;
    struct root_pause pause;

    struct root_reports reports;
};

#endif
