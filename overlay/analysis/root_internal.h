/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside the root: root.c takes records in, policy.c says when to search, schedule.c does so and
 * what follows from the result, reporting.c reports it. */
#ifndef ORK_OVERLAY_ANALYSIS_ROOT_INTERNAL_H
#define ORK_OVERLAY_ANALYSIS_ROOT_INTERNAL_H

#include "detector/detector.h"
#include "overlay/analysis/activity.h"
#include "overlay/analysis/busy_wait.h"
#include "overlay/analysis/classify.h"
#include "overlay/analysis/policy.h"
#include "overlay/analysis/root.h"
#include "overlay/analysis/snapshots.h"
#include "overlay/findings/call_sites.h"
#include "overlay/findings/ends.h"
#include "overlay/stream/rank_numbering.h"
#include "overlay/stream/trace.h"

#define MS UINT64_C(1000000)

/* ---- what the root consists of: docs/explanation/analysis-policy.md ---- */

/* What ork_root_now() keeps. */
struct root_time {
    const struct ork_clock *clock;
    uint64_t last_ns;    /* when it was asked for last */
    uint64_t stopped_ns; /* how long this process has been stopped */
    uint64_t step_ns;    /* processor time when the latest step began */
};

/* Records that came before the size of the job was known, or the end of a rank. */
struct early {
    struct early *next;
    uint32_t rank;
    bool is_end;
    enum ork_end end;
    size_t n;
    struct ork_record record[];
};

/* What came from the leaves: root.c. */
struct root_input {
    struct ork_rank_numbering numbers;
    struct ork_trace *trace;
    bool trace_failed;
    struct early *early, **early_end;
    uint32_t leaves;
    uint32_t attached, ended, unassigned; /* processes */
    char *lost; /* tool processes that were lost, and which ranks: a sentence for each */
    uint64_t full_waits, tool_waits;
    /* When the latest record of each rank came, the latest call of all at once, and the latest
     * record or end of any. */
    uint64_t *last_ns;
    uint64_t wave_ns, change_ns;
    /* RATIONALE: not a state: what comes, comes in each of them. */
    bool has_moved;    /* something came since the latest step */
    uint64_t taken_ns; /* when; 0: nothing has */
};

/* The latest look at where the run is: observe.c, watchdog.c. */
struct root_look {
    uint64_t at_ns;
    bool is_all_inside;
    uint64_t watched_ns; /* the watchdog has looked without a gap since then */
};

/* Ranks that ended, but those that were ended by us or on our account: abnormal.c. */
struct root_abnormal {
    enum {
        ABNORMAL_NONE,     /* none did so abnormally */
        ABNORMAL_SEEN,     /* one did, at seen_ns: others may follow */
        ABNORMAL_REPORTED, /* and what ends now is not news */
        ABNORMAL_AWAITED,  /* others wait for it; the launcher should end them until stuck_ns */
    } stage;
    struct ork_ends ends;
    uint64_t seen_ns, stuck_ns;
    uint64_t checked_ns; /* the change after which it was looked for ranks that wait */
};

/* A question where everybody is, on its way to an answer: status.c. */
struct question {
    enum { QUESTION_NONE, QUESTION_ASKED, QUESTION_LOOKED, QUESTION_STACKS } stage;
    uint64_t since_ns;
    struct ork_answer answer; /* from QUESTION_STACKS on */
    uint32_t rank[8];         /* whose stacks are wanted; one at a time */
    uint32_t count, next;
    bool is_waiting;         /* for that of the one before `next` */
    uint64_t *reported;      /* calls of each rank at the last answer */
    uint32_t reported_ranks; /* in it */
    uint64_t reported_ns;    /* 0: there was none */
};

/* The search for other matches while nothing moves: interleaving.c. It begins anew with each
 * record that comes. */
struct hang {
    enum {
        HANG_NEW,   /* the ranks may still be asked for sources */
        HANG_ASKED, /* it is searched as long as every rank is inside a call */
        HANG_OVER,  /* there is nothing to search, or more to find */
    } stage;
    struct ork_interleaving *interleaving;
    enum ork_interleave_result result;
    uint64_t change_ns, used_ns;
    uint64_t budget_ns, pause_ns; /* of searching, and when to go on with twice as much */
};

/* Memory has run short since then; 0: it has not. interleaving.c. */
struct shortage {
    uint64_t since_ns;
    bool is_probed;
};

/* The search for other matches while the run goes on, and at its end: interleaving.c. */
struct root_history {
    uint64_t searched_size; /* of the history, when it was searched last */
    bool is_partial;        /* some search was not exhaustive */
};

/* A bottom knot that was reported. */
struct reported {
    uint64_t signature;
    enum ork_class class_;
};

/* What was reported, and what will be: reporting.c. */
struct root_reports {
    struct reported *knot;
    uint32_t count;
    uint32_t issues; /* of the detector, reported in their turn */
    bool *is_early;  /* those that were reported before their turn */
    uint32_t num_early;
    double seconds_to_verdict;  /* of the first manifest deadlock; negative: there is none */
    struct root_stacks *stacks; /* wait for call stacks: stacks.c */
    struct root_held *held;     /* potential deadlocks that are held back: holding.c */
};

struct ork_root {
    struct ork_root_options options;
    const struct ork_report_sink *sink;
    struct ork_down down;
    struct root_time time;
    struct root_input input;
    bool ranks_are_gone; /* ork_root_finish() has begun: there is no rank to take a stack of */

    /* What is known of the ranks; NULL and 0 until the size of the job is known. */
    uint32_t nprocs;
    struct ork_detector *detector;
    struct ork_call_sites *sites;
    struct ork_classifier *classifier;
    struct ork_busy_wait *busy_wait;
    struct ork_activity *activity;
    struct ork_snapshots *snapshots; /* from ork_root_set_down() on */
    struct root_look look;

    /* What the root believes, and when it searches. */
    struct root_policy policy;
    /* Independent of it: each has a state of its own. */
    struct root_abnormal abnormal;
    struct hang hang;
    struct shortage short_of;
    struct root_history history;
    struct root_mismatch *mismatch; /* mismatch.c; NULL until there is an error */
    struct question question;

    struct root_reports reports;
};

/* Nanoseconds of the monotonic clock in which this process was not stopped. */
uint64_t ork_root_now(struct ork_root *root);
/* A step begins. */
void ork_root_mark_step(struct ork_root *root);

/* When the latest record of a rank came; 0: none did. */
uint64_t ork_root_last_ns(const struct ork_root *root, uint32_t rank);

/* Report those knots of `s` (marked in knots, for each bottom knot) that were not reported with
 * this class. ORK_NOMEM. */
enum ork_status ork_root_report_deadlock(struct ork_root *root, const struct ork_search *s,
                                         const bool *knots, enum ork_class class_);
/* Is one of those knots not reported yet? */
bool ork_root_is_news(const struct ork_root *root, const struct ork_search *s, const bool *knots,
                      enum ork_class class_);
/* Report the deadlock that `interleaving` found, `s` its graph. `hangs`: the job is in it, most
 * likely. ORK_NOMEM. */
enum ork_status ork_root_report_foreseen(struct ork_root *root,
                                         const struct ork_interleaving *interleaving,
                                         enum ork_interleaving_scope scope,
                                         const struct ork_search *s, bool hangs);
/* Every rank that is left is inside a call, and has been so for `since` nanoseconds. */
bool ork_root_is_hanging(struct ork_root *root, uint64_t at, uint64_t since);
/* Tell a finding about ranks that hang, then the same with their call stacks and last calls.
 * *finding is taken over. ORK_NOMEM. */
enum ork_status ork_root_report_hanging(struct ork_root *root, struct ork_finding *finding,
                                        bool fatal);
/* The same with the last calls only. `past`: those up to the calls in which strict semantics holds
 * the ranks, as the run is further on; else those up to now, also of ranks that are gone. */
enum ork_status ork_root_report_calls(struct ork_root *root, struct ork_finding *finding,
                                      bool past);
/* A rank that was asked for its last calls: of the first root ranks, or of the first concerned. */
enum { ROOT_ASKED_MAX = 64 };
struct asked {
    uint32_t rank;
    bool answered;
    bool past; /* they have to end in `call` */
    struct ork_record call;
};
uint32_t ork_root_choose_asked(const struct ork_finding *f, struct asked asked[ROOT_ASKED_MAX]);
enum ork_status ork_root_ask_last_calls(struct ork_root *root, struct asked *asked, uint32_t count,
                                        bool past);
/* Put an answer into words, as part of *f. ORK_NOMEM. */
enum ork_status ork_root_add_last_calls(struct ork_root *root, struct ork_finding *f,
                                        const struct asked *asked, const struct ork_latest *latest);
/* In order, and not more than a person reads. */
void ork_root_settle_last_calls(struct ork_finding *f);
enum ork_status ork_root_take_latest(struct ork_root *root, const struct ork_latest *latest);
/* The answer comes as ORK_EVENT_STACK, if the rank is there. */
enum ork_status ork_root_ask_stack(const struct ork_root *root, uint32_t rank);
/* The call stacks for a finding that was told already. *finding is taken over. ORK_NOMEM. */
enum ork_status ork_root_add_stacks(struct ork_root *root, struct ork_finding *finding, bool fatal);
enum ork_status ork_root_take_stack(struct ork_root *root, const struct ork_rank_row *wait,
                                    const char *reason);
/* Tell a potential deadlock now, or, as long as it may become what the job hangs in, later: then
 * *finding is taken over. ORK_NOMEM. */
enum ork_status ork_root_report_potential(struct ork_root *root, struct ork_finding *finding);
/* Those whose ranks went on, or have stood still for long; `all`: in any case. ORK_NOMEM. */
enum ork_status ork_root_report_held(struct ork_root *root, uint64_t at, bool all);
/* `by` is about to be told, of ranks that hang: those with a rank of it that is where it was are
 * part of it. */
void ork_root_supersede_held(struct ork_root *root, const struct ork_finding *by);
void ork_root_forget_held(struct ork_root *root);
/* Ask for the last calls of a finding that is held, which is taken over; when they have come, or at
 * once, it is given to ork_root_fill_held(). ORK_NOMEM. */
enum ork_status ork_root_hold_calls(struct ork_root *root, struct ork_finding *finding,
                                    struct root_held *held);
void ork_root_fill_held(struct root_held *held, struct ork_finding *finding);
/* All that are asked for now, with what has come. ORK_NOMEM. */
enum ork_status ork_root_fill_all_held(struct ork_root *root);

/* Those of which all stacks have come, or time is up; `all`: in any case. */
enum ork_status ork_root_report_stacks(struct ork_root *root, bool all);
void ork_root_forget_stacks(struct ork_root *root);

/* Go on with what was asked. ORK_NOMEM. */
enum ork_status ork_root_answer(struct ork_root *root, uint64_t at);
enum ork_status ork_root_answer_take_stack(struct ork_root *root, const struct ork_rank_row *wait);
void ork_root_forget_question(struct ork_root *root);
/* Add to the rows of *f where the run has the ranks that strict semantics holds in earlier calls.
 * ORK_NOMEM. */
enum ork_status ork_root_describe_now(struct ork_root *root, struct ork_finding *f);
/* And say of those that strict semantics lets run whether they are inside a call. ORK_NOMEM. */
enum ork_status ork_root_describe_places(struct ork_root *root, struct ork_finding *f);
/* The same, after a look at all ranks: in the words of what they were seen to do. ORK_NOMEM. */
enum ork_status ork_root_describe_activity(struct ork_root *root, struct ork_finding *f);

/* A rank ended. ORK_NOMEM. */
enum ork_status ork_root_take_ending(struct ork_root *root, uint32_t rank,
                                     const struct ork_ending *ending);
/* Tell how the run ended abnormally, once: when all ranks have gone, or some do not follow; `all`:
 * in any case. ORK_NOMEM. */
enum ork_status ork_root_report_ends(struct ork_root *root, bool all);

/* Does some rank that is left wait for one that died? Then the launcher should end it, too. */
enum ork_status ork_root_check_awaited(struct ork_root *root, uint64_t at);
/* It should have done so by now: tell mustrun. */
void ork_root_check_launcher(struct ork_root *root, uint64_t at);

/* Every rank that is left is inside a call, and no thread of it has used a processor outside MPI
 * for `since` nanoseconds. */
bool ork_root_is_quiet(struct ork_root *root, uint64_t at, uint64_t since);
/* Report a hang that is no deadlock, once. ORK_NOMEM. */
enum ork_status ork_root_watch(struct ork_root *root, uint64_t at);
/* Report what the detector found beside deadlocks, since the last time. `fatal`: the job hangs over
 * an error of these. */
enum ork_status ork_root_report_issues(struct ork_root *root, bool fatal);

/* Of a job that hangs: *words say that the ranks are in MPI_Finalize or past it, if all that are
 * left are; else NULL. ORK_NOMEM. */
enum ork_status ork_root_leaving_words(const struct ork_root *root, char **words);

/* Is every rank that is left inside an MPI call, or asleep after MPI_Finalize, by the latest round
 * of snapshots? */
bool ork_root_is_all_inside(const struct ork_root *root);
/* Tell collective calls that do not fit together as soon as it is certain that both were made; end
 * the job if it hangs over them. ORK_NOMEM. */
enum ork_status ork_root_look_for_mismatch(struct ork_root *root, uint64_t at);
/* Before a hang is told: bring strict semantics to where the run is. *caught_up: that made a
 * difference, so a deadlock may be found that explains it. ORK_NOMEM. */
enum ork_status ork_root_catch_up(struct ork_root *root, bool *caught_up);
/* Is there one over which the job may hang, which is not certain yet? */
bool ork_root_is_mismatch_open(struct ork_root *root);
/* Issue number `issue` of the detector is reported: not once more at the end. ORK_NOMEM. */
enum ork_status ork_root_mark_issue(struct ork_root *root, uint32_t issue);
void ork_root_forget_mismatch(struct ork_root *root);

#endif
