/* SPDX-License-Identifier: BSD-3-Clause */
/* The findings of an exploration as a report, for code that works on reports. */
#ifndef ORK_VIZ_EXPLORATION_FINDINGS_H
#define ORK_VIZ_EXPLORATION_FINDINGS_H

#include "report/exploration.h"

/* The findings of all bad outcomes, in this order, and what a report says of the program. They are
 * copies of the structs: what they point to still belongs to the exploration. *report is the
 * caller's, to be released only with the function below. ORK_NOMEM. */
enum ork_status ork_exploration_findings_init(struct ork_report *report,
                                              const struct ork_exploration *e);
void ork_exploration_findings_release(struct ork_report *report);

/* Move what has changed in the copies back to the exploration: the names of the files. */
void ork_exploration_findings_return(const struct ork_report *report, struct ork_exploration *e);

#endif
