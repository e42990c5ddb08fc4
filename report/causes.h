/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks that a finding comes from, and those that only suffer. */
#ifndef ORK_REPORT_CAUSES_H
#define ORK_REPORT_CAUSES_H

#include "report/report.h"

/* Ranks of all knots, else all ranks concerned: ascending, each once. The caller's; NULL: out of
 * memory. */
uint32_t *ork_finding_causes(const struct ork_finding *finding, uint32_t *count);

/* The same, but of an abnormal end only the rank that ended first, if it is known: where the others
 * were then is chance. */
uint32_t *ork_finding_origins(const struct ork_finding *finding, uint32_t *count);

/* Is the rank in a root of the finding? */
bool ork_finding_has_root(const struct ork_finding *finding, uint32_t rank);

#endif
