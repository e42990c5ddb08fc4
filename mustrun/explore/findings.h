/* SPDX-License-Identifier: BSD-3-Clause */
/* The findings of runs: which ones make an outcome, and when two are the same. */
#ifndef ORK_MUSTRUN_EXPLORE_FINDINGS_H
#define ORK_MUSTRUN_EXPLORE_FINDINGS_H

#include "report/exploration.h"

/* Does this finding make the outcome of a run bad? */
bool ork_job_finding_counts(const struct ork_finding *f);
/* How bad it is, as an outcome. */
enum ork_outcome_kind ork_job_finding_kind(const struct ork_finding *f);
/* What it has in common with those that are the same in other runs: what was found, and in which
 * calls at which places. Ranks that do the same work are not told apart. free() it; NULL: out of
 * memory. */
char *ork_job_finding_key(const struct ork_finding *f);

/* Findings of severity warning or note of a run that another one, the first one, does not have. */
struct ork_job_others {
    const struct ork_finding *worst; /* of the report; NULL: there are none */
    char *key;                       /* of all of them; NULL: as above */
};
/* ORK_NOMEM. free() the key. */
enum ork_status ork_job_others_find(const struct ork_report *report, const struct ork_report *first,
                                    struct ork_job_others *others);
/* Is this finding of a run one of them? */
bool ork_job_finding_is_other(const struct ork_finding *f, const struct ork_report *first);

#endif
