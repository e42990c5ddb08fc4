/* SPDX-License-Identifier: BSD-3-Clause */
/* The result of a run: the growing report, its files, the text on stderr, and the exit code. */
#ifndef ORK_MUSTRUN_SUPERVISE_RUN_RESULT_H
#define ORK_MUSTRUN_SUPERVISE_RUN_RESULT_H

#include "mustrun/options/options.h"
#include "mustrun/supervise/listing.h"
#include "mustrun/supervise/unobserved.h"
#include "report/baseline.h"
#include "report/report.h"
#include "report/suppress.h"

struct ork_run_result {
    const struct ork_options *options;
    struct ork_suppress *suppress;       /* NULL: none */
    const struct ork_baseline *baseline; /* NULL: none; it must outlive this */
    struct ork_report report;
    struct ork_listing listing;
    bool final;          /* the tool has sent its final report */
    bool is_stale;       /* the report's files are older than the report */
    unsigned written;    /* formats with a file of this run */
    bool unwritten;      /* the latest report could not be written */
    bool failed;         /* the tool or a part of it failed: see ORK_EXIT_INTERNAL */
    bool hung;           /* it was ended by --must:on hang=abort */
    bool recovers;       /* the job is to go on when a rank has died */
    bool has_survived;   /* it has, and then ended well by itself */
    bool is_brief;       /* no summary if it ends well */
    uint64_t order_hash; /* of the orders of all ranks; 0: unknown, or no choices */
    char *unseen;        /* why processes that used MPI were not observed; NULL: none */
    bool has_order;      /* the tool has written the order of the run */
    bool keeps_order;    /* and was told to keep that file */
    int own;             /* exit code of the launcher, 128 + the number of a signal that ended it */
    int signal;          /* that ended the run from outside, 0: none */
};

/* An empty outcome for a program. Options and suppressions must outlive it. */
enum ork_status ork_run_result_init(struct ork_run_result *outcome,
                                    const struct ork_options *options,
                                    struct ork_suppress *suppress, const struct ork_argv *program);
void ork_run_result_release(struct ork_run_result *outcome);

/* Print the finding and move it to the report (*finding is then empty), whose files are then stale;
 * or only count it, if it is suppressed and need not be shown (`must`). `seconds`: since the
 * application was started. */
void ork_run_result_add(struct ork_run_result *outcome, struct ork_finding *finding, double seconds,
                        bool must);

/* A later version of an earlier finding (*finding is then empty). One that was only counted and
 * must be shown now is added. */
void ork_run_result_replace(struct ork_run_result *outcome, struct ork_finding *finding,
                            double seconds, bool must);

/* Put a finding in the place of the one with the message `earlier`. Takes ownership of *finding, or
 * leaves it if there is none. */
void ork_run_result_change(struct ork_run_result *outcome, struct ork_finding *finding,
                           const char *earlier);

/* An earlier finding is part of the next one: remove it from the report. */
void ork_run_result_withdraw(struct ork_run_result *outcome, const struct ork_finding *finding);

/* Write the report's files, which are then not stale. */
void ork_run_result_write(struct ork_run_result *outcome);

/* Take over the tool's final report; *final is then without notes and choices. */
void ork_run_result_take_final(struct ork_run_result *outcome, struct ork_report *final);

/* Has the run ended badly, the launcher with this wait() status? Then its order is kept. */
bool ork_run_result_is_bad(struct ork_run_result *outcome, int status);

/* Add a sentence for the reader of the report. */
void ork_run_result_note(struct ork_run_result *outcome, const char *note);

/* No rank reached the tool: the report is neither clean nor complete. *why is taken over. */
void ork_run_result_take_unobserved(struct ork_run_result *outcome, struct ork_unobserved *why);

/* The application has ended with this wait() status: write the last report, print the summary. */
void ork_run_result_finish(struct ork_run_result *outcome, int status, double seconds);

/* Compare with the baseline, and decide for each finding whether it fails the run. To be called
 * before the two functions below. */
void ork_run_result_judge(struct ork_run_result *outcome);

/* Does a finding fail the run? */
bool ork_run_result_has_error(const struct ork_run_result *outcome);

/* Exit code of mustrun after ork_run_result_finish(). */
int ork_run_result_exit_code(const struct ork_run_result *outcome);

#endif
