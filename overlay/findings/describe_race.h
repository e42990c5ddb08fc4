/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns races of messages into text for the user. */
#ifndef ORK_OVERLAY_FINDINGS_DESCRIBE_RACE_H
#define ORK_OVERLAY_FINDINGS_DESCRIBE_RACE_H

#include "order/causality/races.h"
#include "overlay/findings/call_sites.h"
#include "report/report.h"

/* One finding of `n` races at one place, by rank; at least one. The first one gives the example.
 * *finding is the caller's. ORK_NOMEM. */
enum ork_status ork_describe_race(struct ork_call_sites *sites, const struct ork_race *const *race,
                                  uint32_t n, struct ork_finding *finding);

#endif
