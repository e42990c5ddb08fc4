/* SPDX-License-Identifier: BSD-3-Clause */
/* Forced twins of the functions that are choice points. Each finds the next choice of its thread
 * and makes a call that can only have this outcome (docs/explanation/order.md). Outside recorded
 * calls, and after a divergence, they are the real functions. */
#include "interceptor/forcing/force.h"

#include "interceptor/forcing/force_internal.h"

void ork_force_init(void)
{
    if (!ork_replay_is_on() && !ork_is_explored)
        return;
    ork_errand_add(ORK_ERRAND_REPLAY);
    ork_force_init_probes();
    ork_force_init_completion();
    if (!ork_replay_is_on())
        return;
    ork_force_init_receives();
    ork_force_init_cancelling();
    ork_force_init_locks();
}
