/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/forcing/impose.h"

#include "interceptor/forcing/decided.h"
#include "interceptor/forcing/ordered.h"
#include "interceptor/forcing/real.h"

static void follow_order(void)
{
    ork_errand_add(ORK_ERRAND_REPLAY);
    ork_force_init_completion();
    if (!ork_replay_is_on())
        return;
    ork_impose_receives();
    ork_force_init_cancelling();
    ork_force_init_locks();
}

static void follow_decisions(void)
{
    ork_impose_receives();
    ork_decided_receive_init();
    ork_decided_complete_init();
    ork_decided_window_init();
}

void ork_impose_init(void)
{
    bool follows_order = ork_replay_is_on() || ork_is_explored;

    if (!follows_order && !ork_decisions_are_on())
        return;
    ork_silent_init();
    ork_impose_probes();
    if (follows_order)
        follow_order();
    else
        follow_decisions();
}
