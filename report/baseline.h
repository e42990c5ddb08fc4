/* SPDX-License-Identifier: BSD-3-Clause */
/* The last accepted report: its findings are known, by their fingerprints. Pure except for the
 * file. */
#ifndef ORK_REPORT_BASELINE_H
#define ORK_REPORT_BASELINE_H

#include "report/report.h"

struct ork_baseline;

/* Read a report. *out is the caller's. ORK_INVALID: it cannot be read or is no report; *error is a
 * sentence, the caller's. ORK_NOMEM. */
enum ork_status ork_baseline_load(const char *path, struct ork_baseline **out, char **error);
/* NULL is allowed. */
void ork_baseline_destroy(struct ork_baseline *baseline);

/* Set `baseline` of all findings: known or new. Nothing for NULL. ORK_NOMEM: nothing is set. */
enum ork_status ork_baseline_mark(const struct ork_baseline *baseline, struct ork_report *report);

/* How many of the findings that are only counted are new: more of a kind than the baseline has. */
uint64_t ork_baseline_new_unlisted(const struct ork_baseline *baseline,
                                   const struct ork_unlisted *unlisted, enum ork_severity severity);

/* A note for each finding of the baseline that the report lacks. Nothing for NULL. ORK_NOMEM. */
enum ork_status ork_baseline_note_gone(const struct ork_baseline *baseline,
                                       struct ork_report *report);

#endif
