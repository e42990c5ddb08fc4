/* SPDX-License-Identifier: BSD-3-Clause */
/* Turns conflicts of one-sided accesses, and accesses outside of windows, into text for the
 * user. */
#ifndef ORK_OVERLAY_FINDINGS_DESCRIBE_CONFLICT_H
#define ORK_OVERLAY_FINDINGS_DESCRIBE_CONFLICT_H

#include "windows/onesided/onesided.h"
#include "overlay/findings/call_sites.h"
#include "report/report.h"

/* One finding of `n` conflicts at the same two places, at least one. The first one gives the
 * example. *finding is the caller's. ORK_NOMEM. */
enum ork_status ork_describe_conflict(struct ork_call_sites *sites,
                                      const struct ork_conflict *const *conflict, uint32_t n,
                                      struct ork_finding *finding);

/* The same of accesses outside of a window, at one place. */
enum ork_status ork_describe_outside(struct ork_call_sites *sites,
                                     const struct ork_outside *const *outside, uint32_t n,
                                     struct ork_finding *finding);

#endif
