/* SPDX-License-Identifier: BSD-3-Clause */
/* A saved report, which may contain anything. */
#ifndef ORK_MUSTVIEW_INPUT_H
#define ORK_MUSTVIEW_INPUT_H

#include "report/exploration.h"

/* The report in this file; "-" is standard input. 0, and *report is the caller's; or an exit code,
 * after an error message. */
int ork_view_load(const char *name, struct ork_report *report);
/* The same; if the report is about an exploration, *e is all of it, and *report has its findings.
 * Otherwise *is_exploration is false, and *e empty. Both are the caller's. */
int ork_view_load_any(const char *name, struct ork_report *report, struct ork_exploration *e,
                      bool *is_exploration);

/* Say why a file was not read: ORK_INVALID has `error`, a sentence without its name; ORK_IO: errno.
 * Returns the exit code. */
int ork_view_refuse(const char *name, enum ork_status status, const char *error);

#endif
