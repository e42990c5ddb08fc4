/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/memory/watch.h"

#include "interceptor/preload/memory.h"

#include <dlfcn.h>

_Atomic uint32_t ork_watch_generation = 1;

/* Pages of each class that have watched bytes; each range counts for itself. */
static uint32_t pages[ORK_MEMORY_CLASSES];

const _Atomic uint64_t *ork_watch_filter(void)
{
    return ork_watch_bits;
}

bool ork_watch_has_other(void)
{
    return !ork_watch_is_on && dlsym(RTLD_DEFAULT, "__tsan_mutex_create") != NULL;
}

static void set(uint32_t class, bool is_set)
{
    _Atomic uint64_t *word = &ork_watch_bits[class / 64];
    uint64_t old = atomic_load_explicit(word, memory_order_relaxed);
    uint64_t bit = UINT64_C(1) << class % 64;

    atomic_store_explicit(word, is_set ? old | bit : old & ~bit, memory_order_relaxed);
}

/* The number of pages. RATIONALE: those of a longer range are in all classes, as the first ones
 * are. */
static uint64_t pages_of(uint64_t low, uint64_t high)
{
    uint64_t n = ((high - 1) >> ORK_MEMORY_PAGE_SHIFT) - (low >> ORK_MEMORY_PAGE_SHIFT) + 1;

    return n < ORK_MEMORY_CLASSES ? n : ORK_MEMORY_CLASSES;
}

static void change(void)
{
    uint32_t next = atomic_load_explicit(&ork_watch_generation, memory_order_relaxed) + 1;

    atomic_store_explicit(&ork_watch_generation, next == 0 ? 1 : next, memory_order_release);
}

void ork_watch_add(uint64_t low, uint64_t high)
{
    uint64_t n = low < high ? pages_of(low, high) : 0;

    for (uint64_t i = 0; i < n; i++) {
        uint32_t class = ork_memory_class(low + i * ORK_MEMORY_PAGE);
        if (pages[class]++ == 0)
            set(class, true);
    }
    change();
}

void ork_watch_remove(uint64_t low, uint64_t high)
{
    uint64_t n = low < high ? pages_of(low, high) : 0;

    for (uint64_t i = 0; i < n; i++) {
        uint32_t class = ork_memory_class(low + i * ORK_MEMORY_PAGE);
        if (--pages[class] == 0)
            set(class, false);
    }
    change();
}
