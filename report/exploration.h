/* SPDX-License-Identifier: BSD-3-Clause */
/* The report of an exploration: many runs of one program, each with another order of messages.
 * Strings as in report.h: heap-allocated, owned by the struct that points to them, arbitrary bytes.
 */
#ifndef ORK_REPORT_EXPLORATION_H
#define ORK_REPORT_EXPLORATION_H

#include "report/report.h"

#include <stdio.h>

/* How runs ended, from good to bad. */
enum ork_outcome_kind {
    ORK_OUTCOME_ENDED,    /* without an error */
    ORK_OUTCOME_LOST,     /* unknown: the tool failed, or the run was ended from outside */
    ORK_OUTCOME_WARNING,  /* no error, but another finding that the first run did not have */
    ORK_OUTCOME_FINDING,  /* a finding of severity error that is none of the following */
    ORK_OUTCOME_EXIT,     /* an exit code other than 0 */
    ORK_OUTCOME_SIGNAL,   /* a signal ended it */
    ORK_OUTCOME_HANG,     /* no progress, and no deadlock that is proved */
    ORK_OUTCOME_DEADLOCK, /* of any class */
    ORK_OUTCOME_KINDS
};

/* A choice point in the program: where it is, and which call makes it. */
struct ork_choice_site {
    char *call;  /* "MPI_Recv"; never NULL */
    char *place; /* "main (farm.c:40)"; NULL: unknown */
};

/* A choice that a run was made to take. */
struct ork_forced_choice {
    uint32_t rank;
    uint64_t number; /* of the choice in its rank, from 1 */
    struct ork_choice_site site;
    char *outcome; /* "took the message of rank 2, tag 0"; never NULL */
    char *instead; /* in the first run: "took the message of rank 1, tag 0"; NULL: not made */
};

/* A choice that decides, and was another one in the first run. */
struct ork_switched_choice {
    /* The receive or probe, and the sends of the messages that it took. Or the call that made
     * another choice; then a send whose message completed a request for it, or the latest lock or
     * atomic of another rank before it. `call` NULL: there is none. */
    struct ork_match_end receive, took, first_took;
    /* As in struct ork_forced_choice. NULL: it is a receive or probe that took a message in both
     * runs. */
    char *outcome, *instead;
};

/* Runs that ended in the same way. */
struct ork_outcome {
    enum ork_outcome_kind kind;
    bool is_bad;     /* any kind but ENDED, LOST and WARNING; of ENDED, all results but
                        the first one */
    bool is_result;  /* ENDED, and further results differ: `result` counts */
    uint32_t result; /* number of this result, from 1 */
    char *message;   /* a sentence: "deadlock of ranks 0-2: ..", "exit code 3"; never NULL */
    uint64_t runs;
    uint64_t first;              /* number of the first of these runs, from 1 */
    char *folder;                /* with the output and the report of that run; NULL: none kept */
    char *order;                 /* file of its order; NULL: it had no choices */
    char *replay;                /* command that repeats it; NULL: as above */
    struct ork_finding *finding; /* of that run: errors, and others that the first run lacks */
    uint32_t num_findings;
    /* A smallest set of choices that leads to this outcome, as far as it was looked for. */
    struct ork_forced_choice *forced;
    uint32_t num_forced;
    bool is_minimal;    /* without any one of them, the outcome was another one */
    uint32_t confirmed; /* runs that made only these choices, and ended so */
    /* Those of the choices that can be drawn; or the one that was changed in the first run, if no
     * such set was looked for. */
    struct ork_switched_choice *switched;
    uint32_t num_switched;
    char *not_sought; /* why no such set was looked for, a clause; NULL: it was, or need not be */
    /* Where its result differs from the first one: a clause for each of the first few ranks. */
    char **difference;
    uint32_t num_differences;
};

/* All choices at one call of the program, over all ranks and runs. */
struct ork_site_coverage {
    struct ork_choice_site site;
    struct ork_u32s ranks;
    uint64_t choices; /* different ones */
    uint64_t known;   /* outcomes of them that are known to be possible */
    uint64_t tried;   /* of these, in some run */
    bool is_endless;  /* a loop of these tests or probes was to give up, and went on */
};

/* A run in the tree of decisions: it made the choices of its parent up to one. */
struct ork_explored_run {
    uint64_t number;                 /* from 1 */
    uint64_t parent;                 /* a smaller number; 0: this is the first run */
    uint32_t outcome;                /* index of it */
    bool diverged;                   /* it could not make that choice */
    struct ork_forced_choice change; /* outcome NULL: the first run */
};

/* Why alternatives were left out: bounds that the user set. */
enum ork_left_out {
    ORK_LEFT_OUT_MIXING,
    ORK_LEFT_OUT_LOOP,
    ORK_LEFT_OUT_QUOTA,
    ORK_LEFT_OUT_SYMMETRIC,
    ORK_LEFT_OUT_REASONS
};

struct ork_exploration_bounds { /* 0: none */
    uint64_t runs;
    double seconds;
    uint32_t mixing, loop, quota;
    bool samples;    /* orders were drawn at random */
    char *symmetric; /* NULL: none */
};

struct ork_exploration {
    char **command; /* program and arguments */
    uint32_t num_words;
    char *source_root; /* as in struct ork_report */
    uint32_t ranks;
    double seconds, run_seconds; /* in all; of one run, on average */
    uint32_t jobs;               /* runs at the same time */
    uint64_t runs;     /* that ended, without those that were repeated because of a loss */
    uint64_t orders;   /* different ones */
    uint64_t diverged; /* runs that could not make the choices they were to make */
    uint64_t lost;     /* runs without a result */
    uint64_t left;     /* known orders that were not run */
    /* Of `orders` and of `left`, those in which no decision is about an unsuccessful poll: each
     * test or probe waits. */
    uint64_t waiting, left_waiting;
    double estimate; /* orders in all, if those left branch like those run; 0: `orders` */
    uint64_t left_out[ORK_LEFT_OUT_REASONS];
    bool is_complete;   /* nothing is left, nothing was left out, and nothing is unknown; if what is
                         * assumed holds: sites that are endless, and .. */
    bool repeats_polls; /* .. equal tests or probes that were unsuccessful in a row: their number
                         * changes no result */
    bool is_interrupted;
    char *resume; /* command that goes on with the orders that are left; NULL: none are */
    struct ork_exploration_bounds bounds;
    struct ork_outcome *outcome; /* worst kind first, then bad ones, then by number of runs */
    uint32_t num_outcomes;
    struct ork_site_coverage *site;
    uint32_t num_sites;
    struct ork_explored_run *run; /* by number */
    uint64_t num_runs;
    char **note; /* further sentences */
    uint32_t num_notes;
};

/* An exploration that is going on. */
struct ork_exploration_progress {
    uint64_t runs; /* that have ended */
    uint64_t left; /* known orders that were not run yet */
    double more;   /* orders that are expected still, with those that are left */
    uint32_t outcomes, bad;
    uint32_t minimized; /* outcome whose choices are looked for in further runs, from 1; 0: none */
    uint32_t attempts, max_attempts; /* of these runs, which are not among `runs` */
    double seconds;                  /* since the start */
    uint64_t earlier;                /* of the runs: those of the exploration that is resumed */
    uint64_t max_runs;               /* bounds; 0: none */
    double max_seconds;              /* 0: none */
};

/* Free what it owns; all zero is an empty one. */
void ork_match_end_release(struct ork_match_end *end);
void ork_switched_choice_release(struct ork_switched_choice *switched);
void ork_exploration_release(struct ork_exploration *e);

/* --- exploration_words.c --- */

/* "ended", "lost", "finding", "exit", "signal", "hang", "deadlock": static storage, as below. */
const char *ork_outcome_kind_word(enum ork_outcome_kind kind);
/* For people, of one outcome: "same output", "another output", "deadlock", "exit code". */
const char *ork_outcome_short_words(const struct ork_outcome *outcome);
/* Are its findings those of the report? It is bad, or a WARNING. */
bool ork_outcome_is_reported(const struct ork_outcome *outcome);
/* "mixing", "loop", "quota", "symmetric" */
const char *ork_left_out_word(enum ork_left_out reason);

/* "24 orders: 21 end with the same output, 2 with another, 1 deadlocks." */
void ork_exploration_put_summary(const struct ork_exploration *e, FILE *out);
/* Are orders known that were not run? */
bool ork_exploration_is_partial(const struct ork_exploration *e);
/* "12 orders", "13 runs of 12 orders", "3 of 24 known orders" */
void ork_exploration_put_orders(const struct ork_exploration *e, FILE *out);
/* What a choice was in the first run, without the words that it shares with what it became: "of
 * rank 1". `instead` is not NULL. The caller frees it. NULL: out of memory. */
char *ork_forced_choice_instead(const struct ork_forced_choice *choice);

/* --- exploration_limits.c --- */

/* Did some loop of tests or probes go on when it was to give up? */
bool ork_exploration_has_endless(const struct ork_exploration *e);
/* Sentences about what was run and what was not: the first one says whether every order was run.
 * *sentence and its strings are the caller's; strings of the user are escaped. ORK_NOMEM. */
enum ork_status ork_exploration_limits(const struct ork_exploration *e, char ***sentence,
                                       uint32_t *count);

/* --- exploration_json.c, exploration_read.c --- */

/* What is assumed if every order was run: that the number of unsuccessful polls in a row changes no
 * result; and that endless loops give up only where a run showed it. */
#define ORK_ASSUMES_UNCOUNTED "polls-are-not-counted"
#define ORK_ASSUMES_ENDLESS   "loops-never-give-up"

/* In JSON, the id of the finding that a bad outcome gets if it has no other one. */
#define ORK_BAD_OUTCOME "bad-outcome"

/* MUST_Output.json of an exploration (docs/reference/json.md). *text is the caller's. ORK_NOMEM. */
enum ork_status ork_exploration_json(const struct ork_exploration *e, char **text);
/* Parse that. Untrusted input: as ork_report_from_json(). ORK_NOTFOUND: a report of one run, or
 * other JSON. */
enum ork_status ork_exploration_from_json(const char *text, size_t size, struct ork_exploration *e,
                                          char **error);

#endif
