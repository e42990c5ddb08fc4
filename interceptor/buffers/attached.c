/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/buffers/attached.h"

#include "interceptor/usage/usage.h"

_Atomic int64_t ork_attached_size;
/* The call that attached it; unused if no buffer is attached. */
static uint32_t site;
static uint16_t id;

static bool is_known(void)
{
    return atomic_load(&ork_attached_size) != INT64_MAX;
}

static bool is_attached(void)
{
    return is_known() && atomic_load(&ork_attached_size) != 0;
}

void ork_attached_look(const struct ork_call *call)
{
    if (is_attached())
        ork_usage_report(call, &(struct ork_usage){.id = ORK_USAGE_ATTACHED_TWICE,
                                                   .other_site = site,
                                                   .other_call = id});
}

void ork_attached_enter(const struct ork_call *call, int64_t size)
{
    ork_lock();
    site = call->site;
    id = call->id;
    if (is_known())
        atomic_store(&ork_attached_size, size);
    ork_unlock();
}

void ork_attached_look_detach(const struct ork_call *call)
{
    if (is_known() && !is_attached())
        ork_usage_report(call, &(struct ork_usage){.id = ORK_USAGE_NOT_ATTACHED});
}

void ork_attached_forget(void)
{
    if (is_known())
        atomic_store(&ork_attached_size, 0);
}

void ork_attached_bypassed(const void *address)
{
    if (!atomic_load_explicit(&ork_recording, memory_order_relaxed))
        return;
    if (ork_site_of((uintptr_t)address)->caller != ORK_CALLER_MPI)
        atomic_store(&ork_attached_size, INT64_MAX);
}

/* False: it has room, as far as is known. */
static bool describe(struct ork_usage *usage, uint64_t bytes)
{
    int64_t size = atomic_load(&ork_attached_size);

    if (!ork_attached_lacks(bytes) || (size == 0 && bytes == 0))
        return false;
    *usage = (struct ork_usage){.id = ORK_USAGE_NO_ATTACHED, .value = (int64_t)bytes};
    if (size > 0)
        *usage = (struct ork_usage){.id = bytes > (uint64_t)size ? ORK_USAGE_ATTACHED_SMALL
                                                                 : ORK_USAGE_ATTACHED_TIGHT,
                                    .value = (int64_t)bytes,
                                    .value2 = size,
                                    .other_site = site,
                                    .other_call = id};
    return true;
}

bool ork_wrong_attached(const struct ork_call *call, int dest, uint64_t bytes)
{
    struct ork_usage usage;

    if (dest == MPI_PROC_NULL || !describe(&usage, bytes))
        return false;
    ork_usage_report(call, &usage);
    return true;
}

void ork_wrong_attached_locked(const struct ork_call *call, uint64_t bytes)
{
    struct ork_usage usage;

    if (describe(&usage, bytes))
        ork_usage_report_locked(call, &usage);
}
