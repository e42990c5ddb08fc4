/* SPDX-License-Identifier: BSD-3-Clause */
/* pthread_create() of the program. RATIONALE: replaced, because only its caller tells a thread of
 * the program from those of the MPI library, its plugins and other libraries. */
#include "interceptor/checks/thread_levels.h"
#include "interceptor/mpi/next.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <sys/auxv.h>

typedef int create_thread(pthread_t *restrict, const pthread_attr_t *restrict, void *(*)(void *),
                          void *restrict);

/* The next one in the search order. RATIONALE: set before the preload file leads the program's
 * calls here. */
static create_thread *_Atomic next_create;

static __attribute__((constructor)) void find_next(void)
{
    atomic_store_explicit(&next_create, (create_thread *)ork_system_find("pthread_create"),
                          memory_order_relaxed);
}

/* Is it code of the executable? */
static bool is_of_program(const void *code)
{
    const uintptr_t entry = getauxval(AT_ENTRY);
    Dl_info here, program;

    return dladdr(code, &here) != 0 && dladdr((const void *)entry, &program) != 0 &&
           here.dli_fbase == program.dli_fbase;
}

__attribute__((visibility("default"))) int pthread_create(pthread_t *restrict thread,
                                                          const pthread_attr_t *restrict attributes,
                                                          void *(*start)(void *),
                                                          void *restrict argument)
{
    create_thread *next = atomic_load_explicit(&next_create, memory_order_relaxed);
    int result = next(thread, attributes, start, argument);
    int saved = errno;

    if (result == 0 && ork_level_is_single() && is_of_program(__builtin_return_address(0)))
        ork_level_note_thread((uintptr_t)__builtin_return_address(0));
    errno = saved;
    return result;
}
