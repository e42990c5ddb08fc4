/* SPDX-License-Identifier: BSD-3-Clause */
/* The drawing of what decides how a run of an exploration ended. Messages: among the last calls of
 * a finding of that run, if they are there; else the calls that send and receive them alone. Other
 * choices: the call in this run and in the first run, each in a lane, and what decided them. */
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
    bool has_choices; /* some of it is no receive or probe */
};

/* The outcome must outlive *lanes, which the caller releases. ORK_NOTFOUND: nothing decides it,
 * or nothing is known; ORK_NOMEM. Both leave nothing to release. */
enum ork_status ork_outcome_lanes_init(struct ork_outcome_lanes *lanes,
                                       const struct ork_outcome *outcome);
void ork_outcome_lanes_release(struct ork_outcome_lanes *lanes);

#endif
