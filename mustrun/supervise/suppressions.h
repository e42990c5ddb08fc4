/* SPDX-License-Identifier: BSD-3-Clause */
/* --must:print-suppressions: a file of lines that suppress the findings of a run. */
#ifndef ORK_MUSTRUN_SUPERVISE_SUPPRESSIONS_H
#define ORK_MUSTRUN_SUPERVISE_SUPPRESSIONS_H

#include "report/report.h"

/* Can lines be added to the file? False: a message was logged. It exists afterwards. */
bool ork_suppressions_check(const char *path);

/* Add the lines of all findings, each finding with its message as a comment, at the end of the
 * file. False: a message was logged. */
bool ork_suppressions_add(const char *path, const struct ork_report *report);

#endif
