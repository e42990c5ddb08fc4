/* SPDX-License-Identifier: BSD-3-Clause */
/* Why no rank of a run was observed. */
#ifndef ORK_MUSTRUN_SUPERVISE_UNOBSERVED_H
#define ORK_MUSTRUN_SUPERVISE_UNOBSERVED_H

#include "mustrun/launcher/command.h"

struct ork_unobserved {
    char *sentence; /* what happened and what to do; the caller's, NULL: out of memory */
};

/* No rank reached the tool, and the application's launcher has ended with this wait() status;
 * `stopped`: the user ended the run; `unseen`: why processes that used MPI
 * were not observed; NULL: there are none. */
struct ork_unobserved ork_unobserved_explain(const struct ork_options *options,
                                             const struct ork_commands *commands, int status,
                                             bool stopped, const char *unseen);

#endif
