/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/mpi/next.h"

#include "common/log.h"

#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

_Atomic(ork_function) ork_next_table[ORK_CALL_MAX];

/* NULL: the next library in the search order. */
static void *library;

void ork_next_use(void *handle)
{
    library = handle;
    for (unsigned i = 0; i < ORK_CALL_MAX; i++)
        atomic_store_explicit(&ork_next_table[i], NULL, memory_order_relaxed);
}

ork_function ork_next_find(const char *symbol)
{
    int saved = errno;
    void *found = dlsym(library != NULL ? library : RTLD_NEXT, symbol);
    ork_function f;

    memcpy(&f, &found, sizeof(f));
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
