/* SPDX-License-Identifier: BSD-3-Clause */
/* Findings that a report only counts. */
#ifndef ORK_REPORT_UNLISTED_H
#define ORK_REPORT_UNLISTED_H

#include "report/report.h"

/* A report lists so many findings of one id and class; further ones are counted. A manifest
 * deadlock is always listed. */
#define ORK_LISTED_MAX 200u

/* Count a finding like this one that is not listed. ORK_NOMEM. */
enum ork_status ork_unlisted_add(struct ork_report *report, const struct ork_finding *finding);
/* One that was counted with this severity has become another finding, or none. */
void ork_unlisted_remove(struct ork_report *report, const struct ork_finding *finding,
                         enum ork_severity severity);
void ork_unlisted_release(struct ork_report *report);

/* Findings of this severity, the unlisted ones included. */
uint64_t ork_report_count(const struct ork_report *report, enum ork_severity severity);
/* Of all severities. */
uint64_t ork_report_total(const struct ork_report *report);
/* Findings that are counted in `repeats` of others. */
uint64_t ork_report_repeats(const struct ork_report *report);

/* A sentence without its full stop. The caller's; NULL: out of memory. */
char *ork_unlisted_sentence(const struct ork_unlisted *unlisted);

#endif
