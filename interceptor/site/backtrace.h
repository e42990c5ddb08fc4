/* SPDX-License-Identifier: BSD-3-Clause */
/* The general unwinder, which is loaded when it is first needed. */
#ifndef ORK_BACKTRACE_H
#define ORK_BACKTRACE_H

#include "interceptor/ring/recorder.h"

#include <stdatomic.h>

/* unw_backtrace() of libunwind; NULL: it is not loaded yet. Threads may load it at the same time.
 */
extern int (*_Atomic ork_unwinder)(void **address, int room);
void ork_load_unwinder(void);

/* The return addresses from the caller outwards, from a cache of frame layouts; returns how many.
 * Not in a signal handler. */
static inline __attribute__((always_inline)) int ork_backtrace(void **address, int room)
{
    if (ORK_UNLIKELY(atomic_load_explicit(&ork_unwinder, memory_order_acquire) == NULL))
        ork_load_unwinder();
    return atomic_load_explicit(&ork_unwinder, memory_order_relaxed)(address, room);
}

#endif
