/* SPDX-License-Identifier: BSD-3-Clause */
/* Inside the root: root.c takes records, policy.c decides when to search, schedule.c searches and
 * acts on the result, reporting.c reports it. What it knows is in root_state.h. */
#ifndef ORK_OVERLAY_ROOT_ROOT_INTERNAL_H
#define ORK_OVERLAY_ROOT_ROOT_INTERNAL_H

#include "detector/issues.h"
#include "overlay/root/root_state.h"

#define MS UINT64_C(1000000)

/* All ranks that attached. */
static inline bool ork_root_have_all_ended(const struct ork_root *root)
{
    return root->input.attached > 0 && root->input.ended == root->input.attached;
}

/* Nanoseconds of the monotonic clock, without the time in which this process was stopped. */
uint64_t ork_root_now(struct ork_root *root);
/* Processor time that the tool's process has used. */
uint64_t ork_root_processor(const struct ork_root *root);
/* The same of all that comes between two steps. */
uint64_t ork_root_taken_at(struct ork_root *root);
/* A step begins. */
void ork_root_mark_step(struct ork_root *root);

/* --must:fold: folding.c. Each function but the first accepts a root without. ORK_NOMEM. */
typedef enum ork_status ork_root_feed(void *root, uint32_t rank, const struct ork_record *record,
                                      size_t n);
/* Fold, unless something of this run needs every record; the others are given to `feed`. */
enum ork_status ork_root_fold_create(struct ork_root *root, ork_root_feed *feed);
/* Are iterations kept back until the other ranks have repeated theirs, which they will soon? */
bool ork_root_keeps_back(struct ork_root *root);
/* A step begins. *is_steady: see ork_fold_step(); then no search is needed. */
enum ork_status ork_root_fold_step(struct ork_root *root, bool *is_steady);
/* Before the detector is examined or changed outside of a step. */
enum ork_status ork_root_unfold(struct ork_root *root);
/* Each record is needed from now on. */
enum ork_status ork_root_fold_stop(struct ork_root *root);

/* A deterministic run: deterministic.c. Records and ends go to the arbiter; a step takes the
 * decisions that can be taken, and sends them. ORK_NOMEM. */
enum ork_status ork_root_decide(struct ork_root *root, uint64_t at);

/* Polls that wait in a run of an exploration: expiry.c. */
/* Has the run stood still for so long that a choice of its plan will not be possible? False in runs
 * that are not explored. */
bool ork_root_waits_in_vain(struct ork_root *root, uint64_t at);
/* A step: if no rank can go on, they are unsuccessful. ORK_NOMEM. */
enum ork_status ork_root_expire_polls(struct ork_root *root, uint64_t at);

/* Accesses to windows: conflicts.c. NULL: they are not followed, or not any more. */
struct ork_onesided *ork_root_onesided(const struct ork_root *root);
/* races.c: receives and probes that could have taken another message; after the report. False: not
 * known. */
bool ork_root_count_raced(const struct ork_root *root, uint64_t *raced);

/* Does the user want to know or to have an order of the run? */
static inline bool ork_root_wants_order(const struct ork_root_options *options)
{
    return options->order_is_wanted || options->replay != NULL || options->alternatives != NULL ||
           options->is_deterministic;
}
/* What that does not contain: unordered.c. Only in a run where one is wanted. The list belongs to
 * the root. ORK_NOMEM. */
enum ork_status ork_root_list_unordered(struct ork_root *root, struct ork_unordered_calls *calls);

/* When the latest record of a rank came; 0: none yet. */
uint64_t ork_root_last_ns(const struct ork_root *root, uint32_t rank);

/* Report the knots of `s` marked in `knots` (for each bottom knot) that were not yet reported with
 * this class. ORK_NOMEM. */
enum ork_status ork_root_report_deadlock(struct ork_root *root, const struct ork_search *s,
                                         const bool *knots, enum ork_class class_);
/* Is one of those knots not reported yet? */
bool ork_root_has_news(const struct ork_root *root, const struct ork_search *s, const bool *knots,
                       enum ork_class class_);
/* Report the deadlock that `interleaving` found, with its graph `s`. `hangs`: the job most likely
 * hangs in it. ORK_NOMEM. */
enum ork_status ork_root_report_foreseen(struct ork_root *root,
                                         const struct ork_interleaving *interleaving,
                                         enum ork_interleaving_scope scope,
                                         const struct ork_search *s, bool hangs);
/* Has each rank that is inside a call looked for messages often enough since the latest change, or
 * does it sleep there? RATIONALE: a rank that gets no processor cannot go on, but does not hang. */
bool ork_root_have_all_looked(struct ork_root *root);
/* Every remaining rank has been inside a call for `since` nanoseconds. */
bool ork_root_is_hanging(struct ork_root *root, uint64_t at, uint64_t since);
/* Report a finding about ranks that hang, then again with their call stacks and last calls. Takes
 * ownership of *finding. ORK_NOMEM. */
enum ork_status ork_root_report_hanging(struct ork_root *root, struct ork_finding *finding,
                                        bool fatal);
/* The same, about ranks that sleep and so many seconds without progress: it is reported only with
 * their call stacks, since its headline names the functions in which they sleep. */
enum ork_status ork_root_report_sleepers(struct ork_root *root, struct ork_finding *finding,
                                         bool fatal, double seconds);
/* The same with the last calls only. `past`: those up to the calls in which the strict analysis
 * holds the ranks; else those up to now, also of ranks that have ended. */
enum ork_status ork_root_report_calls(struct ork_root *root, struct ork_finding *finding,
                                      bool past);
/* The same about calls that returned at some time, with the last calls of `ranks` (none: of those
 * of the finding) if these are the calls that it names, and with those of the others then. */
enum ork_status ork_root_report_with_calls(struct ork_root *root, struct ork_finding *finding,
                                           const struct ork_u32s *ranks);
/* The same with the last calls of `ranks`, whichever they are. */
enum ork_status ork_root_report_with_latest(struct ork_root *root, struct ork_finding *finding,
                                            const struct ork_u32s *ranks);
/* The ranks whose calls show what these issues are about, of which the finding is: one of each
 * side, the receiver of a message that has none, and more of the same. */
enum { ROOT_SHOWN_MAX = 8 };
struct shown_ranks {
    uint32_t item[ROOT_SHOWN_MAX];
    uint32_t count;
};
struct shown_ranks ork_root_shown_ranks(const struct ork_root *root,
                                        const struct ork_issue *const *alike, uint32_t n,
                                        const struct ork_finding *f);
/* A rank that was asked for its last calls: of the first root ranks, or of the first concerned. */
enum { ROOT_ASKED_MAX = 64 };
struct asked {
    uint32_t rank;
    bool answered;
    bool past; /* the calls have to end in `call` */
    struct ork_record call;
    uint32_t coll_calls; /* as ork_detector_coll_calls(), on its communicator */
};
/* The ranks, and what was not matched when they were asked. */
struct asked_ranks {
    struct asked item[ROOT_ASKED_MAX];
    uint32_t count;
    struct ork_stream *stream; /* between them */
    uint32_t num_streams;
};
/* Ask this rank, too, if there is room. */
void ork_root_choose_asked(struct asked_ranks *asked, uint32_t rank);
/* Ask the chosen ranks, or if there are none those of the finding. */
enum ork_status ork_root_ask_last_calls(struct ork_root *root, const struct ork_finding *f,
                                        struct asked_ranks *asked, bool past);
/* Add an answer as text to *f. ORK_NOMEM. */
enum ork_status ork_root_add_last_calls(struct ork_root *root, struct ork_finding *f,
                                        const struct asked_ranks *all, const struct asked *asked,
                                        const struct ork_latest *latest);
/* Leave a list out. */
void ork_root_drop_calls(struct ork_finding *f, uint32_t list);
/* calls_about.c: keep only lists that have the calls that the finding names, and with them those of
 * ranks that it does not name; of a message race, only if these calls were made once. */
void ork_root_keep_calls_about(struct ork_finding *f);
/* Sort the lists, keep as many as fit in a report, and draw arrows between them. ORK_NOMEM. */
enum ork_status ork_root_settle_last_calls(struct ork_finding *f);
/* equal_calls.c: are these equal for the user, apart from their counts? */
bool ork_root_is_same_call(const struct ork_last_call *a, const struct ork_last_call *b);
/* Merge equal calls in a row, and leave out the oldest ones. */
void ork_root_fold_calls(struct ork_last_calls *list);
/* last_messages.c: what is known of the messages of a call, for the following functions. */
void ork_root_fill_messages(const struct ork_root *root, const struct asked_ranks *all,
                            const struct asked *asked, const struct ork_latest_call *from,
                            struct ork_last_call *call);
/* Which messages of a list are not matched, and which collective calls these were. */
void ork_root_place_calls(struct ork_last_calls *list);
/* Messages between the lists. ORK_NOMEM. */
enum ork_status ork_root_draw_arrows(struct ork_finding *f);
enum ork_status ork_root_on_unseen(struct ork_root *root, const struct ork_unseen *unseen);
enum ork_status ork_root_take_latest(struct ork_root *root, const struct ork_latest *latest);
/* The answer comes as ORK_EVENT_STACK, if the rank is attached. */
enum ork_status ork_root_ask_stack(const struct ork_root *root, uint32_t rank);
/* Add call stacks to a reported finding. Takes ownership of *finding. ORK_NOMEM. */
enum ork_status ork_root_add_stacks(struct ork_root *root, struct ork_finding *finding, bool fatal);
enum ork_status ork_root_take_stack(struct ork_root *root, const struct ork_rank_row *wait,
                                    const char *reason);
/* Report a potential deadlock: now, or later while it may become what the job hangs in. In that
 * case this takes ownership of *finding. ORK_NOMEM. */
enum ork_status ork_root_report_potential(struct ork_root *root, struct ork_finding *finding);
/* Report those whose ranks moved, or have not moved for long; `all`: unconditionally. ORK_NOMEM. */
enum ork_status ork_root_report_delayed(struct ork_root *root, uint64_t at, bool all);
/* Allow them this much more time. */
void ork_root_postpone_delayed(struct ork_root *root, uint64_t ns);
/* `by`, about ranks that hang, is about to be reported: delayed findings with one of its ranks in
 * the same call become part of it. */
void ork_root_supersede_delayed(struct ork_root *root, const struct ork_finding *by);
void ork_root_forget_delayed(struct ork_root *root);
/* Collect the last calls of a delayed finding, and take ownership of it; when they have come, or at
 * once, it is given to ork_root_fill_delayed(). ORK_NOMEM. */
enum ork_status ork_root_collect_delayed(struct ork_root *root, struct ork_finding *finding,
                                         struct delayed_finding *delayed);
void ork_root_fill_delayed(struct delayed_finding *delayed, struct ork_finding *finding);
/* Collect the last calls of the ranks of *finding, in this order, and take ownership of it; when
 * they have come, or at once, they are those of the answer. ORK_NOMEM. */
enum ork_status ork_root_collect_for_answer(struct ork_root *root, struct ork_finding *finding);
/* answer_calls.c: of a status request that waits for its stacks. ORK_NOMEM. */
enum ork_status ork_root_ask_for_answer(struct ork_root *root);
/* Complete all delayed findings, with the calls that have come. ORK_NOMEM. */
enum ork_status ork_root_fill_all_delayed(struct ork_root *root);

/* Report findings whose stacks have all come, or whose time is up; `all`: unconditionally. */
enum ork_status ork_root_report_stacks(struct ork_root *root, bool all);
void ork_root_forget_stacks(struct ork_root *root);

/* Continue with status requests. ORK_NOMEM. */
enum ork_status ork_root_answer(struct ork_root *root, uint64_t at);
/* Make the same report for a run that is stopped. */
void ork_root_ask_for_stopped(struct ork_root *root);
/* With what is known now. */
enum ork_status ork_root_answer_now(struct ork_root *root, uint64_t at);
enum ork_status ork_root_answer_take_stack(struct ork_root *root, const struct ork_rank_row *wait);
void ork_root_forget_question(struct ork_root *root);
/* Add to the rows of *f the present state of ranks that the strict analysis holds in earlier calls.
 * ORK_NOMEM. */
enum ork_status ork_root_describe_now(struct ork_root *root, struct ork_finding *f);
/* And whether the ranks that run in the strict analysis are inside a call. ORK_NOMEM. */
enum ork_status ork_root_describe_places(struct ork_root *root, struct ork_finding *f);
/* The same of ranks that have died, also if the rows show what they did before. ORK_NOMEM. */
enum ork_status ork_root_describe_died(struct ork_root *root, struct ork_finding *f);
/* The same, after a look at all ranks: describe what they were seen to do. ORK_NOMEM. */
enum ork_status ork_root_describe_activity(struct ork_root *root, struct ork_finding *f);
/* Add the calls of the ranks in the latest seconds. ORK_NOMEM. */
static inline enum ork_status ork_root_describe_rates(struct ork_root *root, struct ork_finding *f)
{
    return root->rates != NULL ? ork_call_rates_fill(root->rates, ork_root_now(root), f) : ORK_OK;
}
/* The finding is about so many seconds without progress, and its rows are described: if all others
 * wait for ranks that sleep outside MPI, its headline says so, and in which function of the
 * program, if the rows have call stacks. Else its headline stays. ORK_NOMEM. sleepers.c */
enum ork_status ork_root_name_sleepers(struct ork_root *root, double seconds, struct ork_finding *f,
                                       bool *is_named);
/* Sort the rows of the finding, the rank with the oldest latest call first, and add sentences about
 * the first ones: since when, and what they do. watchdog.c */
enum ork_status ork_root_describe_longest(struct ork_root *root, uint64_t at,
                                          struct ork_finding *f);

/* The run is stopped: stopped.c. Report where the ranks are, as far as is known now. */
enum ork_status ork_root_report_stopped(struct ork_root *root);
/* The same, with the answer to a request, whose finding this is. */
enum ork_status ork_root_complete_stopped(struct ork_root *root, struct ork_finding *f);
/* May it soon be known more about ranks that the signal has ended, too? */
bool ork_root_awaits_ends(struct ork_root *root, uint64_t at);
/* Ranks that died: died.c. How the rank died, or NULL: it lives, or ended well. One that died
 * cannot be looked at. */
const struct ork_ended *ork_root_died(const struct ork_root *root, uint32_t rank);
/* Add the call stacks that such ranks have left. */
enum ork_status ork_root_describe_left_stacks(const struct ork_root *root, struct ork_finding *f);

/* A rank ended. ORK_NOMEM. */
enum ork_status ork_root_take_ending(struct ork_root *root, uint32_t rank,
                                     const struct ork_ending *ending);
/* Report how the run ended abnormally, once: when all ranks have ended, or some do not follow;
 * `all`: unconditionally. ORK_NOMEM. */
enum ork_status ork_root_report_ends(struct ork_root *root, bool all);

/* Does a remaining rank wait for one that died? Then the launcher should end it, too. */
enum ork_status ork_root_check_awaited(struct ork_root *root, uint64_t at);
/* If it should have done so by now, notify mustrun. */
void ork_root_check_launcher(struct ork_root *root, uint64_t at);

/* Every remaining rank has been inside a call, without processor time outside MPI in any thread,
 * for `since` nanoseconds. */
bool ork_root_is_quiet(struct ork_root *root, uint64_t at, uint64_t since);
/* The same, or it has only polled without success. */
bool ork_root_is_stalled(struct ork_root *root, uint64_t at, uint64_t since);
/* The same, or it has slept outside MPI. */
bool ork_root_is_idle(struct ork_root *root, uint64_t at, uint64_t since);
/* Report a hang that is no deadlock, once. ORK_NOMEM. */
enum ork_status ork_root_watch(struct ork_root *root, uint64_t at);
/* The run ends while no rank makes progress, as was said: report a hang. */
enum ork_status ork_root_report_still(struct ork_root *root, uint64_t at);
/* Report what the detector found besides deadlocks since the last call. `fatal`: the job hangs
 * because of one of these errors. */
enum ork_status ork_root_report_issues(struct ork_root *root, bool fatal);
/* Did it go on unrecorded, so that the way in which it ended is unknown? */
bool ork_root_is_cut(const struct ork_root *root, uint32_t rank);
/* Has the rank called a function without a hook? */
bool ork_root_is_open(const struct ork_root *root, uint32_t rank);
bool ork_root_is_issue_reported(const struct ork_root *root, uint32_t issue);
/* Report errors that returned to the application; `all`: also what changed in those that were
 * reported. ORK_NOMEM. */
enum ork_status ork_root_report_returned(struct ork_root *root, uint64_t at, bool all);
void ork_root_returned_destroy(struct root_returned *returned); /* NULL is allowed */
/* Did the rank end because of an issue that is still to be reported? */
bool ork_root_is_cause_an_issue(const struct ork_root *root, const struct ork_ended *end);
/* The same of an access outside of a window. */
bool ork_root_is_cause_outside(const struct ork_root *root, const struct ork_ended *end);
/* Add a sentence on how the run ended to the finding of that issue. ORK_NOMEM. */
enum ork_status ork_root_set_end(struct ork_root *root, const char *sentence);

/* For a job that hangs: *words state that the ranks are in MPI_Finalize or past it, if all
 * remaining ones are; else NULL. ORK_NOMEM. */
enum ork_status ork_root_leaving_words(const struct ork_root *root, char **words);

/* Is every remaining rank inside an MPI call, or asleep after MPI_Finalize, by the latest round of
 * snapshots? */
bool ork_root_is_all_inside(const struct ork_root *root);
/* Is issue `i` the second of two mismatches of the same calls, crossed? */
bool ork_root_is_second_crossed(const struct ork_root *root, uint32_t i);
/* May the program want that these calls are out of step? */
bool ork_root_is_doubtful_shift(const struct ork_root *root, const struct ork_issue *issue);
/* Does issue number i follow from collective calls that two threads made at the same time? */
bool ork_root_is_by_threads(const struct ork_root *root, uint32_t i);
/* Report mismatched collective calls as soon as both were certainly made; end the job if it hangs
 * because of them. ORK_NOMEM. */
enum ork_status ork_root_look_for_mismatch(struct ork_root *root, uint64_t at);
/* End the job if it hangs in calls that are wrong. ORK_NOMEM. */
enum ork_status ork_root_look_for_stuck(struct ork_root *root, uint64_t at);
/* Is a rank in such a call, and has no rank moved since? */
bool ork_root_is_stuck(const struct ork_root *root);
void ork_root_forget_stuck(struct ork_root *root);

/* A rank has attached; others may never call MPI_Init: missing.c. ORK_NOMEM. */
enum ork_status ork_root_note_starting(struct ork_root *root, uint32_t rank);
/* Before a hang is reported: let the strict analysis catch up with the run. *caught_up: this made a
 * difference, so a deadlock that explains the hang may be found. ORK_NOMEM. */
enum ork_status ork_root_catch_up(struct ork_root *root, bool *caught_up);
/* Are all ranks held at the choice of --must:stop-at? Then nothing that a rank does not do is a
 * fault of the program. */
static inline bool ork_root_is_paused(const struct ork_root *root)
{
    return root->pause.stage == PAUSE_ON;
}
/* Report where they are, once they have come to rest. ORK_NOMEM. */
enum ork_status ork_root_report_pause(struct ork_root *root, uint64_t at);
/* ", held at choice 17 of rank 2 for 3.0 s"; NULL: out of memory. */
char *ork_root_pause_words(const struct ork_root *root, uint64_t at);
void ork_root_forget_pause(struct ork_root *root);
/* Is there an uncertain mismatch that the job may hang because of? */
bool ork_root_is_mismatch_open(struct ork_root *root);
/* lost.c: remember the sends of a bottom knot that is reported. False: out of memory. */
bool ork_root_note_sends(struct ork_root *root, const struct ork_search *s, uint32_t knot);
/* Is it the message of one of them, and the only one lost there? */
bool ork_root_is_lost_told(const struct ork_root *root, const struct ork_issue *issue);
/* Issue number `issue` of the detector is reported: do not repeat it at the end. ORK_NOMEM. */
enum ork_status ork_root_mark_issue(struct ork_root *root, uint32_t issue);
void ork_root_forget_mismatch(struct ork_root *root);

#endif
