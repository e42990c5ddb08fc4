/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/process/unhooked.h"

#include "interceptor/fastpath/loop_body.h"
#include "interceptor/objects/handles.h"
#include "interceptor/outcomes/early.h"
#include "interceptor/outcomes/replay.h"
#include "interceptor/process/op_process.h"
#include "interceptor/site/module.h"

#include <errno.h>
#include <string.h>

static _Atomic bool is_open;
static struct {
    _Atomic uint64_t times;
    uint64_t told;
} calls[ORK_CALL_MAX];

bool ork_is_open(void)
{
    return atomic_load_explicit(&is_open, memory_order_relaxed);
}

static void put(const struct ork_call *call, uint64_t times)
{
    struct ork_record r = ORK_RECORD(call, UNHOOKED, .request = ORK_REQUEST_NULL,
                                     .peer = ORK_NO_PEER, .extra = times);

    calls[call->id].told = times;
    ork_put(&r);
    ork_publish();
}

/* RATIONALE: no check is left, and the library is asked about no handle that the tool has kept. The
 * call may have freed it, or made one of the same value with other properties. */
static void open_process(void)
{
    if (atomic_exchange(&is_open, true))
        return;
    memset(ork_usage_is_on, 0, sizeof(ork_usage_is_on));
    ork_handles_set_incomplete();
    ork_early_stop();
    if (ork_replay_is_on())
        ork_replay_end();
}

/* RATIONALE: the record is there before the call is made, so no rank waits for this one without its
 * being known as open. */
static void note(const struct ork_call *call)
{
    if (ork_thread.line == NULL)
        ork_thread_start();
    if ((atomic_load_explicit(&ork_errands, memory_order_relaxed) & ORK_ERRAND_ITERATION) != 0)
        ork_loop_body_interrupt();
    ork_lock();
    open_process();
    uint64_t times = atomic_fetch_add(&calls[call->id].times, 1) + 1;
    if ((times & (times - 1)) == 0) /* at powers of two */
        put(call, times);
    ork_unlock();
}

/* Before MPI_Init, or nothing is recorded any more. */
static void note_outside(const struct ork_call *call)
{
    if (ork_module_caller((uintptr_t)call->address) == ORK_CALLER_MPI)
        return;
    atomic_fetch_add(&calls[call->id].times, 1);
    atomic_store(&is_open, true);
    ork_process_give_up(ork_call_name(call->id));
}

/* False: it is the library's. RATIONALE: this is called from the preload file, so the frames of a
 * language layer or a tool are not next to the one here, and the stack is unwound. */
static bool find_caller(struct ork_call *call)
{
    const struct ork_site *site = ork_site_of((uintptr_t)call->address);

    if (site->caller == ORK_CALLER_MPI)
        return false;
    call->site = site->caller == ORK_CALLER_APPLICATION ? site->id : ork_site_far();
    return true;
}

__attribute__((visibility("default"))) void ork_unhooked_call(enum ork_call_id id,
                                                              const void *caller)
{
    int saved = errno;
    struct ork_call call = {.address = (void *)(uintptr_t)caller, .id = (uint16_t)id};

    if (!atomic_load_explicit(&ork_recording, memory_order_relaxed))
        note_outside(&call);
    else if (find_caller(&call))
        note(&call);
    errno = saved;
}

static void put_untold(void)
{
    for (unsigned id = 0; id < ORK_CALL_MAX; id++) {
        uint64_t times = atomic_load(&calls[id].times);
        if (times > calls[id].told)
            put(&(struct ork_call){.id = (uint16_t)id}, times);
    }
}

void ork_unhooked_start(void)
{
    if (!atomic_load(&ork_recording) || !atomic_exchange(&is_open, false))
        return;
    open_process();
    ork_lock();
    put_untold();
    ork_unlock();
}

void ork_unhooked_finish(void)
{
    put_untold();
}
