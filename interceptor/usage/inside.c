/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/usage/inside.h"
#include "interceptor/preload/thread_storage.h"

/* Site, call and 1 + ordinal of the thread, packed. 0: none. */
static _Atomic uint64_t inside;
ORK_THREAD_LOCAL(bool, ork_inside);

static uint16_t thread(void)
{
    return (uint16_t)(ork_thread.ordinal + 1);
}

bool ork_inside_enter(const struct ork_call *call, struct ork_call *other)
{
    uint64_t mine = (uint64_t)call->site << 32 | (uint64_t)call->id << 16 | thread();
    uint64_t theirs = atomic_exchange(&inside, mine);

    if (!ork_inside) {
        ork_inside = true;
        ork_thread.open_usages++; /* so that ork_inside_leave() is called */
    }
    *other = (struct ork_call){.site = (uint32_t)(theirs >> 32), .id = (uint16_t)(theirs >> 16)};
    return theirs != 0 && (uint16_t)theirs != thread();
}

void ork_inside_leave(void)
{
    uint64_t latest = atomic_load(&inside);

    if (!ork_inside)
        return;
    if ((uint16_t)latest == thread())
        atomic_compare_exchange_strong(&inside, &latest, 0);
    ork_inside = false;
    ork_thread.open_usages--;
}
