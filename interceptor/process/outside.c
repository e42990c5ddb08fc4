/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/process/outside.h"

#include "interceptor/requests/leaks.h"
#include "interceptor/site/module.h"
#include "interceptor/site/wrappers.h"
#include "interceptor/process/op_process.h"
#include "record/calls.h"

#include <dlfcn.h>
#include <unistd.h>

/* Frames between the function of a language layer and the end of the process. */
enum { FRAMES = 16 };

/* A thread is in MPI_Init, where this process is prepared; or in here. */
static _Atomic bool is_starting;
static atomic_flag is_busy = ATOMIC_FLAG_INIT;
/* The calls that initialized and finalized MPI. */
static struct ork_call first, last;

void ork_outside_starts(void)
{
    atomic_store(&is_starting, true);
}

void ork_outside_started(const struct ork_call *call)
{
    first = *call;
    atomic_store(&is_starting, false);
}

void ork_outside_ended(const struct ork_call *call)
{
    last = *call;
}

/* The row of the list of checks; ORK_USAGE_MAX: the call is right. RATIONALE: the library knows,
 * also if MPI was initialized in a way that was not seen. */
static enum ork_usage_id judge(enum ork_when when)
{
    int begun = 0, over = 0;

    if (ork_is_open()) /* a session may have begun, and may not be over */
        return ORK_USAGE_MAX;
    PMPI_Initialized(&begun);
    PMPI_Finalized(&over);
    if (over)
        return when == ORK_WHEN_EVER ? ORK_USAGE_EVER_AFTER_FINALIZE : ORK_USAGE_AFTER_FINALIZE;
    if (when == ORK_WHEN_ONCE)
        return begun ? ORK_USAGE_INIT_TWICE : ORK_USAGE_MAX;
    if (begun)
        return ORK_USAGE_MAX;
    return when == ORK_WHEN_EVER ? ORK_USAGE_EVER_BEFORE_INIT : ORK_USAGE_BEFORE_INIT;
}

/* Can this process report it? RATIONALE: a forked child shares the ring, but is no rank. */
static bool is_reported(enum ork_usage_id row)
{
    ork_usage_init();
    return ork_usage_is_on[row] && ork_process_attach() &&
           ork_recorder.ring->pid == (uint32_t)getpid() && ork_sites_init();
}

static bool report(struct ork_call *call, enum ork_usage_id row)
{
    const struct ork_call *other = row == ORK_USAGE_INIT_TWICE ? &first : &last;

    if (row == ORK_USAGE_MAX || !is_reported(row))
        return false;
    call->site = ork_site_resolve(call);
    ork_usage_report(
        call, &(struct ork_usage){.id = row, .other_site = other->site, .other_call = other->id});
    return true;
}

bool ork_outside_begin(struct ork_call *call, enum ork_call_id id, enum ork_when when,
                       void *address)
{
    int saved = errno;
    bool found = false;

    if (atomic_load(&is_starting) || !ork_site_is_recorded((uintptr_t)address) ||
        atomic_flag_test_and_set(&is_busy))
        return false;
    *call = (struct ork_call){.address = address, .id = (uint16_t)id};
    found = report(call, judge(when));
    atomic_flag_clear(&is_busy);
    errno = saved;
    return found;
}

void ork_outside_returned(const struct ork_call *call, int result)
{
    ork_usage_returned(call, result);
}

void ork_outside_frees(enum ork_handle_kind kind, uint64_t value)
{
    int saved = errno;

    ork_leak_is_freed(kind, value);
    errno = saved;
}

/* ---- calls from a language layer ---- */

/* The function that the code at this address belongs to; ORK_CALL_MAX: none that is known. */
static enum ork_call_id call_at(const void *address)
{
    Dl_info info;

    if (dladdr(address, &info) == 0 || info.dli_sname == NULL)
        return ORK_CALL_MAX;
    return ork_call_named(info.dli_sname);
}

/* The call of the application: its outermost frame in a language layer, and who called that. False:
 * there is none. */
static bool find_call(struct ork_call *call)
{
    void *frame[FRAMES];
    int n = ork_backtrace(frame, FRAMES);

    for (int i = 0; i + 1 < n; i++) {
        if (ork_module_caller((uintptr_t)frame[i]) != ORK_CALLER_BINDING ||
            ork_module_caller((uintptr_t)frame[i + 1]) != ORK_CALLER_APPLICATION)
            continue;
        *call = (struct ork_call){.address = frame[i + 1], .id = (uint16_t)call_at(frame[i])};
        return call->id != ORK_CALL_MAX;
    }
    return false;
}

void ork_outside_ends_process(void)
{
    static struct ork_call call;
    int saved = errno;
    enum ork_usage_id row = judge(ORK_WHEN_INITIALIZED);

    if (ork_thread.open_usages == 0 && row != ORK_USAGE_MAX && !atomic_load(&is_starting) &&
        is_reported(row) && !atomic_flag_test_and_set(&is_busy)) {
        if (find_call(&call))
            report(&call, row);
        atomic_flag_clear(&is_busy);
    }
    errno = saved;
}
