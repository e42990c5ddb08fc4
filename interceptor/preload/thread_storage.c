/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/thread_storage.h"

#include "interceptor/preload/preload.h"

/* RATIONALE: what a call uses of a variable is in as few cache lines as possible, wherever the
 * other variables are. */
#define ORK_THREAD_STORAGE(name, bytes)                                                            \
    extern _Thread_local unsigned char name[bytes] ORK_FOR_BACKENDS;                               \
    _Alignas(ORK_STORAGE_ALIGNMENT) _Thread_local unsigned char name[bytes];
#include "interceptor/preload/thread_storage.def"
#undef ORK_THREAD_STORAGE
