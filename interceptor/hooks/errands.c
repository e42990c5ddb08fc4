/* SPDX-License-Identifier: BSD-3-Clause */
/* What a call does first, if something is switched on or pending: see errands.h. */
#include "interceptor/site/callers.h"
#include "interceptor/buffers/released.h"
#include "interceptor/outcomes/decisions.h"
#include "interceptor/forcing/backlog.h"
#include "interceptor/forcing/hold.h"
#include "interceptor/fastpath/loop_body.h"
#include "interceptor/checks/thread_levels.h"

static void note_call(enum ork_call_id id, const struct ork_call *call)
{
    ork_thread.call = (uint16_t)id;
    ork_thread.site = call->site;
    ork_thread.calls++;
}

static __attribute__((cold, noinline)) void run_other_errands(uint32_t errands,
                                                              enum ork_noise noise,
                                                              enum ork_call_id id,
                                                              const struct ork_call *call)
{
    if ((errands & ORK_ERRAND_LEVEL) != 0)
        ork_level_begin(call);
    if ((errands & ORK_ERRAND_NOISE) != 0)
        ork_noise_delay(noise);
    if (ork_early_is_pending())
        ork_early_answer();
    if ((errands & ORK_ERRAND_DECIDE) != 0)
        ork_decided_begin(id);
}

void ork_run_errands(enum ork_noise noise, enum ork_call_id id, struct ork_call *call)
{
    uint32_t errands = atomic_load_explicit(&ork_errands, memory_order_relaxed);

    if ((errands & ORK_ERRAND_ITERATION) != 0 && noise != ORK_NOISE_POLL)
        ork_loop_body_interrupt(); /* others: see ork_loop_body_polled() */
    if ((errands & ORK_ERRAND_RELEASE) != 0 &&
        (noise != ORK_NOISE_POLL || (errands & ORK_ERRAND_ITERATION) == 0))
        ork_released_look();
    if ((errands & ORK_ERRAND_CALLERS) != 0)
        call->site = ork_callers_site(call);
    if ((errands & ~ORK_ERRAND_ITERATION) == 0)
        return;
    if (ORK_UNLIKELY((errands & ~ORK_ERRAND_ITERATION) != ORK_ERRAND_REPLAY))
        run_other_errands(errands, noise, id, call);
    if ((errands & (ORK_ERRAND_REPLAY | ORK_ERRAND_DECIDE)) != 0) {
        if (ORK_UNLIKELY(ork_backlog_is_long))
            ork_backlog_wait();
        note_call(id, call);
    }
    if ((errands & ORK_ERRAND_REPLAY) != 0)
        ork_hold_if_asked(id, call->site);
}
