/* SPDX-License-Identifier: BSD-3-Clause */
/* How many calls each rank made in each of the latest seconds: 240 bytes a rank. Seconds in which
 * no rank made a call are kept only if they are few, so that a hang does not displace what came
 * before it. Pure. */
#ifndef ORK_OVERLAY_ROOT_CALL_RATES_H
#define ORK_OVERLAY_ROOT_CALL_RATES_H

#include "overlay/root/activity.h"
#include "report/report.h"

enum { ORK_RATE_SECONDS = 60 };
/* At the end, so many seconds without a call of any rank are kept. */
enum { ORK_RATE_STILL = 10 };
/* So many ranks are in a finding. */
enum { ORK_RATE_RANKS = 64 };

struct ork_call_rates;

/* ORK_NOMEM */
enum ork_status ork_call_rates_create(uint32_t nprocs, uint64_t now_ns,
                                      struct ork_call_rates **out);
/* For more ranks than before. ORK_NOMEM. */
enum ork_status ork_call_rates_grow(struct ork_call_rates *rates, uint32_t nprocs);
/* NULL is allowed. */
void ork_call_rates_destroy(struct ork_call_rates *rates);

/* Note the calls since the latest time; within the same second this does nothing. */
void ork_call_rates_note(struct ork_call_rates *rates, const struct ork_activity *activity,
                         uint64_t now_ns);
/* Add the seconds that are known to a finding that has none; of many ranks those that were the
 * first to make no call any more, and the one that made the most. ORK_NOMEM. */
enum ork_status ork_call_rates_fill(const struct ork_call_rates *rates, uint64_t now_ns,
                                    struct ork_finding *finding);

#endif
