/* SPDX-License-Identifier: BSD-3-Clause */
/* Copies of the C library. The linker option --wrap=memcpy of orknot-memory.pc makes the objects
 * that are linked call __wrap_memcpy instead of memcpy, which they reach as __real_memcpy. The
 * calls of shared libraries do not change. Without the option nothing calls these functions, and
 * there is no __real_memcpy. */
#include "interceptor/memory/runtime/look.h"

#include <string.h>

#define CODE ((uintptr_t)__builtin_return_address(0))

/* `own`: the function as the application calls it; `list` and `names`: its parameters beside
 * `to`. */
#define COPY(own, list, names)                                                                     \
    void *__real_##own list __attribute__((weak));                                                 \
    void *__wrap_##own list;                                                                       \
    void *__wrap_##own list                                                                        \
    {                                                                                              \
        ork_memory_look_at_range((uintptr_t)from, size, ORK_MEMORY_LOAD, CODE);                    \
        ork_memory_look_at_range((uintptr_t)to, size, ORK_MEMORY_STORE, CODE);                     \
        return __real_##own names;                                                                 \
    }

#define SET(own, list, names)                                                                      \
    void *__real_##own list __attribute__((weak));                                                 \
    void *__wrap_##own list;                                                                       \
    void *__wrap_##own list                                                                        \
    {                                                                                              \
        ork_memory_look_at_range((uintptr_t)to, size, ORK_MEMORY_STORE, CODE);                     \
        return __real_##own names;                                                                 \
    }

COPY(memcpy, (void *to, const void *from, size_t size), (to, from, size))
COPY(memmove, (void *to, const void *from, size_t size), (to, from, size))
SET(memset, (void *to, int value, size_t size), (to, value, size))
/* With _FORTIFY_SOURCE. */
COPY(__memcpy_chk, (void *to, const void *from, size_t size, size_t room), (to, from, size, room))
COPY(__memmove_chk, (void *to, const void *from, size_t size, size_t room), (to, from, size, room))
SET(__memset_chk, (void *to, int value, size_t size, size_t room), (to, value, size, room))
