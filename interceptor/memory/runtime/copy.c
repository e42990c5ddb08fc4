/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies for which the compiler calls the runtime instead of the C library. */
#include "interceptor/memory/runtime/look.h"
#include "interceptor/memory/runtime/plain.h"

#include <string.h>

#define CODE ((uintptr_t)__builtin_return_address(0))

void *__tsan_memcpy(void *to, const void *from, size_t size)
{
    ork_memory_look_at_range((uintptr_t)from, size, ORK_MEMORY_LOAD, CODE);
    ork_memory_look_at_range((uintptr_t)to, size, ORK_MEMORY_STORE, CODE);
    return memcpy(to, from, size);
}

void *__tsan_memmove(void *to, const void *from, size_t size)
{
    ork_memory_look_at_range((uintptr_t)from, size, ORK_MEMORY_LOAD, CODE);
    ork_memory_look_at_range((uintptr_t)to, size, ORK_MEMORY_STORE, CODE);
    return memmove(to, from, size);
}

void *__tsan_memset(void *to, int value, size_t size)
{
    ork_memory_look_at_range((uintptr_t)to, size, ORK_MEMORY_STORE, CODE);
    return memset(to, value, size);
}
