/* SPDX-License-Identifier: BSD-3-Clause */
/* A name for a finding that stays the same in later runs and commits: for baselines, and for
 * services that follow findings over time. */
#ifndef ORK_REPORT_FINGERPRINT_H
#define ORK_REPORT_FINGERPRINT_H

#include "report/report.h"

/* "9f3a6c21d0e47b58:1": a hash over id, class, and the calls that cause the finding, each with its
 * function and the last part of its file's name. Then, counted from 1, which finding with this hash
 * it is, in the order of their lines. Numbers of ranks and lines, folders and communicators do not
 * count. */
struct ork_fingerprint {
    char text[28];
};

/* Those of all findings of a report, by their index. *out is the caller's (free). ORK_NOMEM. */
enum ork_status ork_fingerprints(const struct ork_report *report, struct ork_fingerprint **out);

#endif
