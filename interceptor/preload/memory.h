/* SPDX-License-Identifier: BSD-3-Clause */
/* The loads and stores of a program that is compiled for them: its runtime
 * (interceptor/memory/runtime/tool.h) attaches before main(), and so before there is a backend. */
#ifndef ORK_PRELOAD_MEMORY_H
#define ORK_PRELOAD_MEMORY_H

#include "interceptor/memory/runtime/tool.h"
#include "interceptor/preload/preload.h"

#include <stdatomic.h>

/* A runtime is attached. Does not change while calls are recorded. */
ORK_FOR_BACKENDS extern bool ork_watch_is_on;

/* The filter of all runtimes; the backend changes it. All bits are 0 at the start. */
ORK_FOR_BACKENDS extern _Atomic uint64_t ork_watch_bits[ORK_MEMORY_WORDS];

/* What is called for accesses that pass the filter. */
typedef void ork_memory_touched(uintptr_t address, size_t size, enum ork_memory_use use,
                                uintptr_t code);

/* Calls are recorded from now on. From the next runtime on, none is attached, unless one is
 * already. */
ORK_FOR_BACKENDS void ork_preload_memory_start(ork_memory_touched *touched);

/* The name is ORK_MEMORY_ATTACH. Called by the runtime. */
ORK_FOR_BACKENDS ork_memory_attach orknot_memory_attach;

#endif
