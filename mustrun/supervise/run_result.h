/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run comes to: the report as it grows, its files, what is said on stderr, and the exit
 * code. */
#ifndef ORK_MUSTRUN_SUPERVISE_RUN_RESULT_H
#define ORK_MUSTRUN_SUPERVISE_RUN_RESULT_H

#include "mustrun/options/options.h"
#include "mustrun/supervise/unobserved.h"
#include "report/report.h"
#include "report/suppress.h"

struct ork_run_result {
    const struct ork_options *options;
    struct ork_suppress *suppress; /* NULL: none */
    struct ork_report report;
    bool final;       /* the tool has said its last word */
    unsigned written; /* formats of which a file of this run is there */
    bool unwritten;   /* the latest report could not be written */
    bool failed;      /* the tool or a part of it failed: see ORK_EXIT_INTERNAL */
    bool hung;        /* it was ended by --must:on-hang */
    int own;          /* exit code of the launcher, 128 + the number of a signal that ended it */
    int signal;       /* that ended the run from outside, 0: none */
};

/* An empty outcome for a program. Options and findings that are known must outlive it. */
enum ork_status ork_run_result_init(struct ork_run_result *outcome,
                                    const struct ork_options *options,
                                    struct ork_suppress *suppress, const struct ork_argv *program);
void ork_run_result_release(struct ork_run_result *outcome);

/* Say the finding, take it into the report (*finding is then empty) and write the report's files;
 * or count it, if it is known, and not to be shown in any case (`must`). `seconds`: since the
 * application was started. */
void ork_run_result_add(struct ork_run_result *outcome, struct ork_finding *finding, double seconds,
                        bool must);

/* The tool knows more of an earlier finding now (*finding is then empty): write the report's files
 * again. One that was only counted and must be shown now is added. */
void ork_run_result_replace(struct ork_run_result *outcome, struct ork_finding *finding,
                            double seconds, bool must);

/* An earlier finding is part of the one that comes next: take it out of the report. The report's
 * files are written with the next one. */
void ork_run_result_withdraw(struct ork_run_result *outcome, const struct ork_finding *finding);

/* Take over what the tool says at its end; *final is then without notes. */
void ork_run_result_take_final(struct ork_run_result *outcome, const struct ork_report *final);

/* A sentence for the reader of the report. */
void ork_run_result_note(struct ork_run_result *outcome, const char *note);

/* No rank reached the tool: so the report is neither clean nor complete. The sentence is taken. */
void ork_run_result_take_unobserved(struct ork_run_result *outcome, struct ork_unobserved *why);

/* The application has ended with this wait() status: write the last report, say the summary. */
void ork_run_result_finish(struct ork_run_result *outcome, int status, double seconds);

/* Is stderr a terminal that wants colours? */
bool ork_run_result_is_colored(void);

/* Exit code of mustrun after ork_run_result_finish(). */
int ork_run_result_exit_code(const struct ork_run_result *outcome);

#endif
