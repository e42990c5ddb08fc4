/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:on-finding: a command of the user for each finding, when the run has ended. */
#ifndef ORK_MUSTRUN_SUPERVISE_ON_FINDING_H
#define ORK_MUSTRUN_SUPERVISE_ON_FINDING_H

#include "mustrun/supervise/signals.h"
#include "report/report.h"

/* Start the command once for each finding of the report, one at a time. Its words are separated by
 * blanks; no shell is involved. It reads the finding as one line of JSON, and its standard output
 * is our stderr. Failures are reported on stderr; after a command that cannot be started or takes
 * too long, and after a signal, the others are left out. */
void ork_on_finding_run(const char *command, const struct ork_report *report,
                        const struct ork_signals *signals);

#endif
