/* SPDX-License-Identifier: BSD-3-Clause */
/* Both jobs of a run from start to end: one thread, one poll(). */
#ifndef ORK_MUSTRUN_SUPERVISE_SUPERVISE_H
#define ORK_MUSTRUN_SUPERVISE_SUPERVISE_H

#include "mustrun/launcher/command.h"
#include "mustrun/options/options.h"
#include "report/suppress.h"

/* Run both jobs, write the report; returns the exit code of mustrun. `suppress` may be NULL. */
int ork_supervise(const struct ork_options *options, struct ork_suppress *suppress,
                  const struct ork_commands *commands);

#endif
