/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/impose.h"

#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/real.h"

void ork_impose_init(void)
{
    bool decides = ork_decisions_are_on();

    if (!decides && !ork_replay_is_on() && !ork_is_explored)
        return;
    ork_silent_init();
    if (!decides)
        ork_errand_add(ORK_ERRAND_REPLAY);
    ork_impose_probes();
    ork_impose_completion();
    ork_impose_some();
    ork_impose_locks();
    if (!decides && !ork_replay_is_on())
        return;
    ork_impose_sends();
    ork_impose_receives();
    ork_impose_cancelling();
}
