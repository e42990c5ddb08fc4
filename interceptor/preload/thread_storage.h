/* SPDX-License-Identifier: BSD-3-Clause */
/* Thread-local variables of a backend, which are in the preload file: thread_storage.def. */
#ifndef ORK_THREAD_STORAGE_H
#define ORK_THREAD_STORAGE_H

enum {
#define ORK_THREAD_STORAGE(name, bytes) ORK_STORAGE_##name = (bytes),
#include "interceptor/preload/thread_storage.def"
#undef ORK_THREAD_STORAGE
};

enum { ORK_STORAGE_ALIGNMENT = 64 };

#define ORK_STORAGE_HOLDS(type, name, size)                                                        \
    _Static_assert((size) <= ORK_STORAGE_##name, "its storage is large enough");                   \
    _Static_assert(_Alignof(type) <= ORK_STORAGE_ALIGNMENT, "and aligned")

/* Declares a variable of the list, or an array. */
#define ORK_THREAD_LOCAL(type, name)                                                               \
    extern _Thread_local type name __attribute__((tls_model("initial-exec")));                     \
    ORK_STORAGE_HOLDS(type, name, sizeof(type))
#define ORK_THREAD_LOCALS(type, name, number)                                                      \
    extern _Thread_local type name[number] __attribute__((tls_model("initial-exec")));             \
    ORK_STORAGE_HOLDS(type, name, (number) * sizeof(type))

#endif
