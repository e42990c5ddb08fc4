/* SPDX-License-Identifier: BSD-3-Clause */
/* What the functions of the runtime share: the look at the filter. */
#ifndef ORK_MEMORY_LOOK_H
#define ORK_MEMORY_LOOK_H

#include "interceptor/memory/runtime/tool.h"

/* RATIONALE: the library may be linked into an executable or into shared libraries. Each copy uses
 * its own variable, without a detour through a table of symbols. */
#define ORK_MEMORY_HIDDEN __attribute__((visibility("hidden")))

/* The interceptor's filter, or one without bits. */
extern const _Atomic uint64_t *ork_memory_filter ORK_MEMORY_HIDDEN;

/* There may be something near. RATIONALE: cold and never inlined, so that a look that finds nothing
 * needs no stack frame. */
void ork_memory_touch(uintptr_t address, size_t size, enum ork_memory_use use,
                      uintptr_t code) ORK_MEMORY_HIDDEN __attribute__((cold, noinline));
/* Of any size. */
void ork_memory_look_at_range(uintptr_t address, size_t size, enum ork_memory_use use,
                              uintptr_t code) ORK_MEMORY_HIDDEN;

/* Bytes that are in one page. */
static inline __attribute__((always_inline)) void
ork_memory_look(const volatile void *p, size_t size, enum ork_memory_use use, void *code)
{
    uintptr_t address = (uintptr_t)p;

    if (__builtin_expect(ork_memory_is_near(ork_memory_filter, address), 0))
        ork_memory_touch(address, size, use, (uintptr_t)code);
}

/* At most 16 bytes that may be in two pages. */
static inline __attribute__((always_inline)) void
ork_memory_look_at_both(const volatile void *p, size_t size, enum ork_memory_use use, void *code)
{
    uintptr_t address = (uintptr_t)p;

    if (__builtin_expect(ork_memory_is_near(ork_memory_filter, address) |
                             ork_memory_is_near(ork_memory_filter, address + size - 1),
                         0))
        ork_memory_touch(address, size, use, (uintptr_t)code);
}

#endif
