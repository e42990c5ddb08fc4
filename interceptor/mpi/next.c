/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/mpi/next.h"

#include "common/log.h"

#include <errno.h>
#include <unistd.h>

_Atomic(ork_function) ork_next_table[ORK_CALL_MAX];

ork_function ork_next_find(const char *symbol)
{
    int saved = errno;
    ork_function f = ork_preload_library(symbol);

    errno = saved;
    return f;
}

ork_function ork_system_find(const char *symbol)
{
    int saved = errno;
    ork_function f = ork_preload_next(symbol);

    errno = saved;
    return f;
}

ork_function ork_next_resolve(enum ork_call_id call, const char *symbol)
{
    ork_function f = ork_next_find(symbol);

    if (f == NULL) {
        ork_error("the MPI library of this process has no %s", symbol);
        _exit(127);
    }
    atomic_store_explicit(&ork_next_table[call], f, memory_order_relaxed);
    return f;
}
