/* SPDX-License-Identifier: BSD-3-Clause */
/* Finds the interceptor, and hands it the accesses that have something near. */
#include "interceptor/memory/runtime/look.h"

#include "interceptor/memory/runtime/include/orknot/memory.h"
#include "interceptor/memory/runtime/plain.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <string.h>

static const _Atomic uint64_t nothing[ORK_MEMORY_WORDS];
static const struct ork_memory_tool *tool;

const _Atomic uint64_t *ork_memory_filter = nothing;

/* RATIONALE: in a program that was started with the tool, the interceptor is loaded before the
 * first constructor runs; otherwise it is never loaded. So one look-up is enough. */
static void connect(void)
{
    static bool has_looked;
    void *symbol;
    ork_memory_attach *attach;

    if (has_looked)
        return;
    has_looked = true;
    symbol = dlsym(RTLD_DEFAULT, ORK_MEMORY_ATTACH);
    if (symbol == NULL)
        return;
    memcpy(&attach, &symbol, sizeof(attach));
    tool = attach(ORK_MEMORY_VERSION);
    if (tool != NULL)
        ork_memory_filter = tool->filter;
}

__attribute__((constructor)) static void construct(void)
{
    connect();
}

void __tsan_init(void)
{
    connect();
}

/* RATIONALE: GCC names its runtime before the objects of the program, where the linker takes only
 * what it knows to be missing, which is __tsan_init. So the other files are taken with this one. */
void __tsan_atomic_thread_fence(int order);
void *__wrap_memcpy(void *to, const void *from, size_t size);
__attribute__((used)) static void (*const others[])(void) = {
    (void (*)(void))__tsan_read1, (void (*)(void))__tsan_memcpy,
    (void (*)(void))__tsan_atomic_thread_fence, (void (*)(void))__wrap_memcpy};

void ork_memory_touch(uintptr_t address, size_t size, enum ork_memory_use use, uintptr_t code)
{
    tool->touch(address, size, use, code);
}

void ork_memory_look_at_range(uintptr_t address, size_t size, enum ork_memory_use use,
                              uintptr_t code)
{
    uintptr_t last = address + size - 1;
    uintptr_t pages = (last >> ORK_MEMORY_PAGE_SHIFT) - (address >> ORK_MEMORY_PAGE_SHIFT) + 1;

    if (size == 0 || last < address)
        return;
    for (uintptr_t i = 0; i < pages && i < ORK_MEMORY_CLASSES; i++) {
        if (ork_memory_is_near(ork_memory_filter, address + i * ORK_MEMORY_PAGE)) {
            ork_memory_touch(address, size, use, code);
            return;
        }
    }
}

void orknot_memory_load(const volatile void *address, size_t size)
{
    ork_memory_look_at_range((uintptr_t)address, size, ORK_MEMORY_LOAD,
                             (uintptr_t)__builtin_return_address(0));
}

void orknot_memory_store(const volatile void *address, size_t size)
{
    ork_memory_look_at_range((uintptr_t)address, size, ORK_MEMORY_STORE,
                             (uintptr_t)__builtin_return_address(0));
}
