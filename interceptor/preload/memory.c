/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/memory.h"

#include "common/log.h"

bool ork_watch_is_on;
_Atomic uint64_t ork_watch_bits[ORK_MEMORY_WORDS];

static _Atomic(ork_memory_touched *) receiver; /* NULL: nothing is recorded yet */

static void touch(uintptr_t address, size_t size, enum ork_memory_use use, uintptr_t code)
{
    ork_memory_touched *f = atomic_load_explicit(&receiver, memory_order_acquire);

    if (f != NULL)
        f(address, size, use, code);
}

void ork_preload_memory_start(ork_memory_touched *touched)
{
    atomic_store_explicit(&receiver, touched, memory_order_release);
}

/* RATIONALE: all threads need the recorder's lock from the first recorded call on, and operations
 * that are pending already are not watched. */
const struct ork_memory_tool *orknot_memory_attach(uint32_t version)
{
    static struct ork_memory_tool tool;

    if (version != ORK_MEMORY_VERSION) {
        ork_error("loads and stores are not seen: the program has liborknot-memory of another "
                  "version of Orknot");
        return NULL;
    }
    if (atomic_load(&receiver) != NULL && !ork_watch_is_on)
        return NULL;
    ork_watch_is_on = true;
    tool = (struct ork_memory_tool){.filter = ork_watch_bits, .touch = touch};
    return &tool;
}
