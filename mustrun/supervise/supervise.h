/* SPDX-License-Identifier: BSD-3-Clause */
/* Both jobs of a run from start to end: one thread, one poll(). */
#ifndef ORK_MUSTRUN_SUPERVISE_SUPERVISE_H
#define ORK_MUSTRUN_SUPERVISE_SUPERVISE_H

#include "mustrun/launcher/command.h"
#include "mustrun/options/options.h"
#include "mustrun/supervise/signals.h"
#include "report/baseline.h"
#include "report/suppress.h"

struct ork_supervision {
    const struct ork_options *options;
    struct ork_suppress *suppress;       /* NULL: none */
    const struct ork_baseline *baseline; /* NULL: none */
    const struct ork_commands *commands;
    const struct ork_signals *signals;
    bool is_first; /* say what is being watched */
    bool is_brief; /* no summary if the run ends well: another one follows */
};

/* How a run ended. */
struct ork_run_end {
    bool is_started;     /* the program was started, or should have been */
    bool is_bad;         /* the exit code is not 0, or a finding fails the run */
    bool is_interrupted; /* a signal to mustrun ended it */
    uint64_t order_hash; /* see struct ork_run_result */
    double seconds;
};

/* Run both jobs, write the report; returns the exit code of mustrun. */
int ork_supervise(const struct ork_supervision *what, struct ork_run_end *end);

#endif
