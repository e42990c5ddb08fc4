/* SPDX-License-Identifier: BSD-3-Clause */
/* The drawing of the messages that decide how a run of an exploration ended: among the last calls
 * of a finding of that run, if they are there; else the calls that send and receive them alone. */
#ifndef ORK_VIZ_OUTCOME_LANES_H
#define ORK_VIZ_OUTCOME_LANES_H

#include "report/exploration.h"
#include "viz/lanes.h"

struct ork_outcome_lanes {
    uint32_t finding;       /* the number of that finding in the outcome; UINT32_MAX: none */
    struct ork_finding own; /* then: one that only has the calls */
    const struct ork_finding *drawn;
    struct ork_switched_arrow *arrow;
    uint32_t num_arrows;
};

/* The outcome must outlive *lanes, which the caller releases. ORK_NOTFOUND: no message decides it,
 * or none is known; ORK_NOMEM. Both leave nothing to release. */
enum ork_status ork_outcome_lanes_init(struct ork_outcome_lanes *lanes,
                                       const struct ork_outcome *outcome);
void ork_outcome_lanes_release(struct ork_outcome_lanes *lanes);

#endif
