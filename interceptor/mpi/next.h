/* SPDX-License-Identifier: BSD-3-Clause */
/* The real functions: what the MPI library of this process calls PMPI_X; and functions of the
 * system that are replaced. */
#ifndef ORK_NEXT_H
#define ORK_NEXT_H

#include "interceptor/preload/preload.h"
#include "record/calls.h"

#include <mpi.h>
#if __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif
#include <stdatomic.h>
#include <stddef.h>

extern _Atomic(ork_function) ork_next_table[ORK_CALL_MAX];

/* Find the symbol; never returns NULL (if the library lacks it, the process ends, as with the
 * dynamic linker). */
ork_function ork_next_resolve(enum ork_call_id call, const char *symbol)
    __attribute__((cold, noinline));

/* Another function of the library; NULL: not found. Keeps errno. */
ork_function ork_next_find(const char *symbol);

/* A function of the system, as the program would call it without the tool, cached in *known once it
 * was found; NULL: not found. Keeps errno. */
ork_function ork_system_find(const char *symbol);
static inline ork_function ork_find_system(_Atomic(ork_function) *known, const char *symbol)
{
    ork_function f = atomic_load_explicit(known, memory_order_relaxed);

    if (f == NULL) {
        f = ork_system_find(symbol);
        atomic_store_explicit(known, f, memory_order_relaxed);
    }
    return f;
}

/* RATIONALE: resolved at the first call: static constructors may call MPI before ours has run. */
static inline __attribute__((always_inline)) ork_function ork_next(enum ork_call_id call,
                                                                   const char *symbol)
{
    ork_function f = atomic_load_explicit(&ork_next_table[call], memory_order_relaxed);

    return f != NULL ? f : ork_next_resolve(call, symbol);
}

/* Inside this library, a function with a hook must be called in this way; PMPI_X would return to
 * the hook. */
#define ORK_NEXT(name) ((__typeof__(&P##name))ork_next(ORK_CALL_##name, "P" #name))

#endif
