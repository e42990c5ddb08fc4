/* SPDX-License-Identifier: BSD-3-Clause */
/* One run of an exploration: a child process of mustrun that does a single run, as without
 * --must:explore, and leaves its results in a folder. */
#ifndef ORK_MUSTRUN_EXPLORE_JOB_H
#define ORK_MUSTRUN_EXPLORE_JOB_H

#include "mustrun/supervise/once.h"

#include <sys/types.h>

/* Files of a run, in its folder. The output of the ranks is in files below ORK_JOB_OUTPUT. */
#define ORK_JOB_PLAN         "plan"     /* the choices that it has to make; may be missing */
#define ORK_JOB_COMPARED     "compared" /* a copy of the file of --must:compare; may be missing */
#define ORK_JOB_ORDER        "order"    /* its order */
#define ORK_JOB_ALTERNATIVES "alternatives" /* see order/explore/alternatives.h */
#define ORK_JOB_OUTPUT       "output"
#define ORK_JOB_MESSAGES     "messages" /* what mustrun and the launcher print */

struct ork_job_setup {
    const struct ork_invocation *invocation;
    const struct ork_options *options; /* of the exploration */
    const char *input;                 /* file for the standard input of the launcher */
    const char *folder;                /* exists */
    double hang_after; /* seconds without progress that end it; replaces the option */
    bool has_plan;
};

/* Start it. It gets SIGTERM if we die, and does not get signals of the terminal. A failure is
 * reported on stderr: ORK_IO. */
enum ork_status ork_job_start(const struct ork_job_setup *setup, pid_t *pid);

#endif
