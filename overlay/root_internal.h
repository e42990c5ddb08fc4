/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside the root: root.c takes records in, verdicts.c decides when to search and what follows,
 * telling.c says it. */
#ifndef ORK_ROOT_INTERNAL_H
#define ORK_ROOT_INTERNAL_H

#include "detector/detector.h"
#include "overlay/census.h"
#include "overlay/judge.h"
#include "overlay/numbers.h"
#include "overlay/pulse.h"
#include "overlay/root.h"
#include "overlay/sites.h"
#include "overlay/suspect.h"
#include "overlay/trace.h"

#define MS UINT64_C(1000000)

enum { QUEUE_FIRST_LIMIT = 1 << 16 };

/* Records that came before the size of the job was known, or the end of a rank. */
struct early {
    struct early *next;
    uint32_t rank;
    bool is_end;
    enum ork_end end;
    size_t n;
    struct ork_record record[];
};

/* A bottom knot that was reported. */
struct told {
    uint64_t signature;
    enum ork_class class_;
};

/* Probing of a state in which nothing moves. */
struct hang {
    struct ork_foresight *foresight;
    enum ork_probe_result result;
    uint64_t change_ns, used_ns;
    uint64_t budget_ns, pause_ns; /* of searching, and when to go on with twice as much */
    bool asked, over;
};

/* Memory has run short since then; 0: it has not. */
struct shortage {
    uint64_t since_ns;
    bool is_probed;
};

/* A question where everybody is, on its way to an answer: see status.c. */
struct question {
    enum { QUESTION_NONE, QUESTION_ASKED, QUESTION_LOOKED, QUESTION_STACKS } stage;
    uint64_t since_ns;
    struct ork_answer answer; /* from QUESTION_STACKS on */
    uint32_t rank[8];         /* whose stacks are wanted; one at a time */
    uint32_t count, next;
    bool is_waiting;     /* for that of the one before `next` */
    uint64_t *told;      /* calls of each rank at the last answer */
    uint32_t told_ranks; /* in it */
    uint64_t told_ns;    /* 0: there was none */
};

struct ork_root {
    struct ork_root_options options;
    const struct ork_report_sink *sink;
    struct ork_down down;
    struct ork_census *census;
    struct root_stacks *stacks; /* see stacks.c */
    struct ork_numbers numbers;
    struct ork_trace *trace;
    struct early *early, **early_end;
    uint32_t nprocs;
    struct ork_detector *detector;
    struct ork_sites *sites;
    struct ork_judge *judge;
    struct ork_suspect *suspect;
    struct ork_pulse *pulse;
    struct question question;
    bool watchdog_told;  /* see watchdog.c */
    uint64_t watched_ns; /* since when it has looked without a gap */
    uint64_t *last_ns;   /* when each rank's latest record came */
    uint64_t change_ns, next_ns, queue_limit;
    uint64_t taken_ns; /* when what came since the last step did; 0: nothing has */
    uint64_t
        stuck_ns; /* when a launcher that has not ended the job counts as asleep; 0: no reason to */
    uint64_t manifest_ns;  /* when a manifest deadlock was first seen; 0: never */
    uint64_t potential_ns; /* when the potential one was that is to be told; 0: there is none */
    uint64_t full_waits, tool_waits;
    uint32_t attached, ended, strangers;
    bool moved; /* records came since the last step */
    uint32_t leaves;
    uint64_t wave_ns; /* when all ranks came to a call at once, last */
    uint64_t hang_ns; /* when is_hanging was last found out */
    bool is_hanging;
    char *lost; /* who was lost, and which ranks: a sentence for each */
    bool interrupted, dirty, watching, hang_told;
    bool ending; /* what ends from here on was ended from outside */
    struct hang hang;
    struct shortage short_of;
    uint64_t searched_size; /* of the history, when it was searched last */
    bool foresight_partial; /* some search was not exhaustive */
    uint32_t issues_told;
    struct told *told;
    uint32_t num_told;
    double seconds_to_verdict;
    bool trace_failed;
};

/* Nanoseconds of the monotonic clock in which this process was not stopped. */
uint64_t root_now(void);
/* A step begins. */
void root_mark_step(void);

/* When the latest record of a rank came; 0: none did. */
uint64_t root_last_ns(const struct ork_root *root, uint32_t rank);

/* Report those knots of `s` (marked in knots, for each bottom knot) that were not reported with
 * this class. ORK_NOMEM. */
enum ork_status root_tell_deadlock(struct ork_root *root, const struct ork_search *s,
                                   const bool *knots, enum ork_class class_);
/* Is one of those knots not reported yet? */
bool root_is_news(const struct ork_root *root, const struct ork_search *s, const bool *knots,
                  enum ork_class class_);
/* Report the deadlock that `foresight` found, `s` its graph. `hangs`: the job is in it, most
 * likely. ORK_NOMEM. */
enum ork_status root_tell_foreseen(struct ork_root *root, const struct ork_foresight *foresight,
                                   enum ork_foresight_scope scope, const struct ork_search *s,
                                   bool hangs);
/* Every rank that is left is inside a call, and has been so for `since` nanoseconds. */
bool root_is_hanging(struct ork_root *root, uint64_t at, uint64_t since);
/* Tell a finding about ranks that hang, then the same with their call stacks. *finding is taken
 * over. ORK_NOMEM. */
enum ork_status root_tell_hanging(struct ork_root *root, struct ork_finding *finding, bool fatal);
enum ork_status root_take_stack(struct ork_root *root, const struct ork_wait *wait,
                                const char *reason);
/* Copy the frames; false: out of memory, *to is as far as it came. */
bool root_copy_stack(struct ork_wait *to, const struct ork_wait *from);
/* Those of which all stacks have come, or time is up; `all`: in any case. */
enum ork_status root_tell_stacks(struct ork_root *root, bool all);
void root_forget_stacks(struct ork_root *root);

/* Go on with what was asked. ORK_NOMEM. */
enum ork_status root_answer(struct ork_root *root, uint64_t at);
enum ork_status root_answer_take_stack(struct ork_root *root, const struct ork_wait *wait);
void root_forget_question(struct ork_root *root);
/* "running" rows of *f in the words of what the ranks were seen to do. ORK_NOMEM. */
enum ork_status root_say_doing(struct ork_root *root, struct ork_finding *f);

/* Report a hang that is no deadlock, once. ORK_NOMEM. */
enum ork_status root_watch(struct ork_root *root, uint64_t at);
/* Report what the detector found beside deadlocks, since the last time. `fatal`: the job hangs over
 * an error of these. */
enum ork_status root_tell_issues(struct ork_root *root, bool fatal);

#endif
