/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of the program itself, from the runtime that is linked into it
 * (interceptor/memory/runtime/tool.h). */
#ifndef ORK_TOUCH_H
#define ORK_TOUCH_H

#include "interceptor/memory/watch.h"
#include "interceptor/memory/runtime/tool.h"

/* The name is ORK_MEMORY_ATTACH. Called by the runtime, before MPI is initialised. */
__attribute__((visibility("default"))) ork_memory_attach orknot_memory_attach;

#endif
