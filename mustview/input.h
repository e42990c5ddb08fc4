/* SPDX-License-Identifier: BSD-3-Clause */
/* A saved report, which may contain anything. */
#ifndef ORK_MUSTVIEW_INPUT_H
#define ORK_MUSTVIEW_INPUT_H

#include "report/report.h"

/* The report in this file; "-" is standard input. 0, and *report is the caller's; or an exit code,
 * after an error message. */
int ork_view_load(const char *name, struct ork_report *report);

#endif
