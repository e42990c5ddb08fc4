/* SPDX-License-Identifier: BSD-3-Clause */
/* An exploration while it lasts. explore.c starts runs, take.c takes their results, minimize.c
 * looks for the choices that matter, summary.c and notes.c make the report. */
#ifndef ORK_MUSTRUN_EXPLORE_EXPLORING_H
#define ORK_MUSTRUN_EXPLORE_EXPLORING_H

#include "order/explore/plan.h"
#include "order/explore/search.h"
#include "mustrun/explore/blob.h"
#include "mustrun/explore/job.h"
#include "mustrun/explore/result.h"
#include "mustrun/explore/store.h"

#include <stdio.h>

/* A run that goes on. */
struct ork_slot {
    pid_t pid;  /* 0: none */
    int status; /* wait()'s, when it has ended */
    char *folder;
    bool has_decision; /* else it is free, or of a minimisation */
    struct ork_decision_of_run decision;
    unsigned losses;  /* of runs with this decision */
    bool is_repeated; /* the run before, with this decision, crashed in MPI_Finalize */
};

/* Runs that ended in the same way. */
struct ork_outcome_runs {
    char *key, *message, *folder; /* of `first`; folder relative to the user; NULL: none */
    enum ork_outcome_kind kind;
    uint64_t runs, first;     /* number of a run, from 1 */
    int64_t node;             /* of `first` in the search; -1: it was no new order */
    struct ork_report report; /* of `first` */
    bool has_order, is_minimal;
    struct ork_choice_of_run *forced;
    uint32_t num_forced, confirmed;
    const char *not_sought; /* why these choices were not looked for; NULL: they were */
};

struct ork_taken_run {
    uint32_t outcome;
    bool diverged, went_on; /* as in struct ork_job_result */
    int64_t parent;         /* node of the search; -1: none */
    uint32_t index;         /* of its alternatives */
};

struct ork_place_text {
    uint32_t place;
    char *text;
};

enum { ORK_ATTEMPTS = 24 }; /* runs that look for the choices that lead to an outcome, at most */

struct ork_exploring {
    const struct ork_invocation *invocation;
    const struct ork_options *options;
    struct ork_output_rules rules;
    char *folder;   /* as the user would name it */
    char *absolute; /* the same folder */
    int fd;         /* the same folder; -1: not open */
    char *input;    /* file for the input of all runs */
    int input_fd;   /* of a copy, which has no name in a folder; -1: none */
    uint32_t ranks; /* 0: not known before the first run */
    bool *symmetric;
    struct ork_store *store;
    char *program, *bounds;    /* texts of the store */
    struct ork_search *search; /* NULL before the first run has ended */
    struct ork_slot *slot;
    unsigned slots, running;
    struct ork_slot *again; /* decisions to be tried once more */
    uint32_t num_again, room_again;
    double hang_after; /* seconds without progress that end a run that is started now */
    uint64_t started;  /* folders of runs that were made */
    uint64_t *run_of_node;
    uint32_t num_nodes, node_room;
    struct ork_taken_run *run; /* by number - 1 */
    uint32_t num_runs, run_room;
    struct ork_outcome_runs *outcome;
    uint32_t num_outcomes, outcome_room;
    struct ork_place_text *place;
    uint32_t num_places, place_room;
    uint64_t diverged, lost;
    uint64_t crashed_once; /* runs that crashed in MPI_Finalize, but not when they were repeated */
    uint64_t unfinished;   /* decisions whose run was interrupted */
    uint64_t resumed;      /* runs of earlier sessions */
    uint32_t minimized;    /* outcome whose choices are looked for, from 1; 0: none yet */
    uint32_t attempts;     /* runs that were made for that */
    double run_seconds;    /* sum over all runs */
    int64_t begun;         /* ork_now() */
    int64_t shown;         /* the progress; 0: not yet */
    bool is_shown;         /* it is on the terminal */
    bool is_interrupted;
    int signal;                 /* that interrupted it */
    bool has_threads, has_jobs; /* some run had choices of several threads, or spawned processes */
    bool has_polls;             /* some run had calls that test or probe without waiting, .. */
    bool repeats_polls;         /* .. and equal ones in a row that were unsuccessful */
    uint64_t gap[ORK_GAPS];     /* runs of which something is unknown */
    char **unordered;           /* calls of which no choice says which comes first: each once */
    uint32_t num_unordered, unordered_room;
    char *unknown;  /* why alternatives of some run are unknown; NULL: they are known */
    char *lost_why; /* of the latest lost run */
    int code;       /* of what makes it impossible to go on; 0: nothing */
};

/* ---- prepare.c ---- */

/* False: that was reported, and x->code is the exit code. */
bool ork_exploring_prepare(struct ork_exploring *x);
/* Make a folder of a run, a path in the folder of the exploration; an earlier one is removed.
 * False: that was reported. */
bool ork_exploring_make_folder(const struct ork_exploring *x, const char *path);
/* Remove a folder of a run. */
void ork_exploring_remove(const struct ork_exploring *x, const char *path);

/* Replace the exploration that the store has by this one. A failure is one of the store. */
enum ork_status ork_exploring_begin_store(struct ork_exploring *x);

/* ---- runs.c ---- */

/* Start a run with this plan; NULL: it is free. `slot` has its decision. */
enum ork_status ork_exploring_start(struct ork_exploring *x, struct ork_slot *slot,
                                    const struct ork_plan *plan, uint32_t node);
/* Wait until a run has ended, or something else has happened. NULL: no run has ended. */
struct ork_slot *ork_exploring_wait(struct ork_exploring *x);
/* End all runs, and start no more. */
void ork_exploring_interrupt(struct ork_exploring *x);
/* Since the beginning of this session. */
double ork_exploring_seconds(const struct ork_exploring *x);
/* May a run still be started? Not if the user interrupted, or the limit of time is reached. */
bool ork_exploring_has_time(const struct ork_exploring *x);

/* ---- complete.c ---- */

/* Of the order of a run that made no choices. */
void ork_exploring_header(const struct ork_exploring *x, struct ork_order_header *header);
/* The order of this run, which has just ended, is to be replayed: add what ended ranks did after
 * their last choices. `of` NULL: it made no choices. Failures are reported; the order is then as it
 * was. False: there is none. */
bool ork_exploring_complete_order(const struct ork_exploring *x, const char *folder,
                                  const struct ork_order_file *of, uint32_t node);

/* ---- take.c ---- */

/* The run of this slot has ended. ORK_IO and ORK_NOMEM were reported: end the exploration. */
enum ork_status ork_exploring_take(struct ork_exploring *x, struct ork_slot *slot);
/* The key of the first outcome that has a result, without an error; NULL: none. */
const char *ork_exploring_first_result(const struct ork_exploring *x);
/* Compare a run with the first one: ork_job_result_compare(). */
enum ork_status ork_exploring_compare(const struct ork_exploring *x, struct ork_job_result *r);
/* Does the outcome count as bad? See struct ork_outcome. */
bool ork_exploring_is_bad(const struct ork_exploring *x, uint32_t outcome);
/* Parts of it, for runs of earlier sessions, too. Remember the places of its choices. */
enum ork_status ork_exploring_note_places(struct ork_exploring *x, const struct ork_job_result *r);
const char *ork_exploring_place(const struct ork_exploring *x, uint32_t place);
/* Add it to the search. *node: its number there; -1: it made the choices of an earlier run. */
enum ork_status ork_exploring_add(struct ork_exploring *x, struct ork_job_result *r,
                                  const struct ork_decision_of_run *made, int64_t *node);
/* Count it as the next run. */
enum ork_status ork_exploring_count(struct ork_exploring *x, uint32_t outcome,
                                    const struct ork_job_result *r,
                                    const struct ork_decision_of_run *made);
/* Report a failure of the store. Returns `status`. */
enum ork_status ork_exploring_check_store(const struct ork_exploring *x, enum ork_status status);

/* ---- resume.c ---- */

/* Read what the store has of earlier sessions. Failures are reported. */
enum ork_status ork_exploring_resume(struct ork_exploring *x);
/* The order file of a run; ORK_NOTFOUND: it made no choices. Other failures are reported. */
enum ork_status ork_exploring_order(struct ork_exploring *x, uint64_t run,
                                    struct ork_order_file **file);

/* ---- minimize.c ---- */

/* Look for the choices that lead to each bad outcome. */
void ork_exploring_minimize(struct ork_exploring *x);

/* ---- notes.c ---- */

/* Is something unknown of some run, so that there may be more orders? */
bool ork_exploring_has_gaps(const struct ork_exploring *x);
/* What the report has to say about that. False: out of memory. */
bool ork_exploring_fill_notes(const struct ork_exploring *x, struct ork_exploration *e);

/* ---- switched.c ---- */

/* The number of a choice of another run in that run; 0: it made no such choice. */
uint64_t ork_exploring_number_in(const struct ork_exploring *x, uint32_t node, uint32_t rank,
                                 uint64_t number, const struct ork_choice *choice);
/* Of each outcome of the report, which has them in the same order as `x`. False: out of memory. */
bool ork_exploring_fill_switched(struct ork_exploring *x, struct ork_exploration *e);

/* ---- summary.c ---- */

enum ork_status ork_exploring_summary(struct ork_exploring *x, struct ork_exploration *e);

#endif
