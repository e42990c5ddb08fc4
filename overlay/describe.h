/* SPDX-License-Identifier: BSD-3-Clause */
/* From what the detector found to what a person reads. */
#ifndef ORK_DESCRIBE_H
#define ORK_DESCRIBE_H

#include "detector/detector.h"
#include "overlay/sites.h"
#include "viz/report.h"

/* A deadlock, or part of one. */
struct ork_deadlock {
    const struct ork_search *search; /* strict */
    const bool *root;                /* for each bottom knot: does this finding speak of it? */
    enum ork_class class_;
    uint32_t nprocs;
    const struct ork_foresight *foresight; /* ORK_INTERLEAVING: where it comes from */
    enum ork_foresight_scope scope;
};

/* *finding is the caller's. ORK_NOMEM. */
enum ork_status ork_describe_deadlock(const struct ork_detector *d, struct ork_sites *sites,
                                      const struct ork_deadlock *deadlock,
                                      struct ork_finding *finding);

/* A finding of the detector that is no deadlock. */
enum ork_status ork_describe_issue(const struct ork_detector *d, struct ork_sites *sites,
                                   const struct ork_issue *issue, struct ork_finding *finding);

/* A rank whose records made no sense. */
enum ork_status ork_describe_fault(uint32_t rank, const char *why, struct ork_finding *finding);

/* Where every rank is, and for whom it waits by `search` (may be NULL), without a verdict: id
 * "state", or "hang" if nothing has moved for long, or "status" if somebody asked. */
enum ork_status ork_describe_state(const struct ork_detector *d, struct ork_sites *sites,
                                   const struct ork_search *search, uint32_t nprocs, const char *id,
                                   const char *message, struct ork_finding *finding);

#endif
