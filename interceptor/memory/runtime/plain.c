/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of instrumented objects. */
#include "interceptor/memory/runtime/plain.h"

#include "interceptor/memory/runtime/look.h"

#define CODE __builtin_return_address(0)

void __tsan_func_entry(void *caller)
{
    (void)caller;
}

void __tsan_func_exit(void)
{
}

/* A function named `name` that looks at `size` bytes. */
#define LOOK(name, look, size, use)                                                                \
    void name(void *address)                                                                       \
    {                                                                                              \
        look(address, size, use, CODE);                                                            \
    }

/* RATIONALE: an update is reported as a store: whatever forbids a load there forbids a store,
 * too. */
#define ALIGNED(size)                                                                              \
    LOOK(__tsan_read##size, ork_memory_look, size, ORK_MEMORY_LOAD)                                \
    LOOK(__tsan_write##size, ork_memory_look, size, ORK_MEMORY_STORE)                              \
    LOOK(__tsan_read_write##size, ork_memory_look, size, ORK_MEMORY_STORE)                         \
    LOOK(__tsan_volatile_read##size, ork_memory_look, size, ORK_MEMORY_LOAD)                       \
    LOOK(__tsan_volatile_write##size, ork_memory_look, size, ORK_MEMORY_STORE)
ORK_MEMORY_SIZES(ALIGNED)

#define UNALIGNED(size)                                                                            \
    LOOK(__tsan_unaligned_read##size, ork_memory_look_at_both, size, ORK_MEMORY_LOAD)              \
    LOOK(__tsan_unaligned_write##size, ork_memory_look_at_both, size, ORK_MEMORY_STORE)            \
    LOOK(__tsan_unaligned_read_write##size, ork_memory_look_at_both, size, ORK_MEMORY_STORE)       \
    LOOK(__tsan_unaligned_volatile_read##size, ork_memory_look_at_both, size, ORK_MEMORY_LOAD)     \
    LOOK(__tsan_unaligned_volatile_write##size, ork_memory_look_at_both, size, ORK_MEMORY_STORE)
ORK_MEMORY_UNALIGNED_SIZES(UNALIGNED)

void __tsan_read_range(void *address, size_t size)
{
    ork_memory_look_at_range((uintptr_t)address, size, ORK_MEMORY_LOAD, (uintptr_t)CODE);
}

void __tsan_write_range(void *address, size_t size)
{
    ork_memory_look_at_range((uintptr_t)address, size, ORK_MEMORY_STORE, (uintptr_t)CODE);
}

void __tsan_vptr_read(void **vptr)
{
    ork_memory_look(vptr, sizeof(*vptr), ORK_MEMORY_LOAD, CODE);
}

/* RATIONALE: a constructor stores the same value again for each class of the hierarchy. */
void __tsan_vptr_update(void **vptr, void *value)
{
    if (*vptr != value)
        ork_memory_look(vptr, sizeof(*vptr), ORK_MEMORY_STORE, CODE);
}

void __tsan_acquire(void *address)
{
    (void)address;
}

void __tsan_release(void *address)
{
    (void)address;
}
