/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the entries: at first each one leads to ork_jump_resolve(), by way of code that
 * keeps all registers that may have arguments (made by interceptor/gen/entries.py). */
#include "interceptor/preload/resolve.h"

#include "common/log.h"
#include "interceptor/preload/backend.h"
#include "interceptor/preload/chosen.h"
#include "interceptor/preload/other.h"
#include "interceptor/preload/tools.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Whose function an entry has the name of. */
enum owner { OF_MPI, OF_SYSTEM };

static const struct {
    const char *name;
    enum owner owner;
} entries[] = {
#define ORK_ENTRY(name, owner) {#name, OF_##owner},
#include "entries.def"
#undef ORK_ENTRY
};
enum { ENTRIES = sizeof(entries) / sizeof(entries[0]) };

/* The library of this process is known, and its backend is open, if it has one. */
static _Atomic bool is_chosen;
static pthread_mutex_t choice = PTHREAD_MUTEX_INITIALIZER;
static bool has_library, has_backend;

/* This thread chooses; or looks up a function of the system. */
static _Thread_local bool is_choosing __attribute__((tls_model("initial-exec")));
static _Thread_local bool is_finding __attribute__((tls_model("initial-exec")));

bool ork_has_entry(const char *name)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        if (strcmp(entries[i].name, name) == 0)
            return true;
    }
    return false;
}

static void lead_to(unsigned entry, ork_function function)
{
    atomic_store_explicit(&ork_jump_table[entry], function, memory_order_release);
}

/* RATIONALE: not exit(), which would run code of the program inside of this call. */
static _Noreturn void end_process(void)
{
    for (;;)
        syscall(SYS_exit_group, 127);
}

/* ---- functions of the system ---- */

/* What the dynamic linker itself calls while it looks up such a function. */
static void drop(void *memory)
{
    (void)memory;
}

static void *refuse_memory(void *memory, size_t size)
{
    (void)memory, (void)size;
    errno = ENOMEM;
    return NULL;
}

static int refuse_unmap(void *address, size_t length)
{
    (void)address, (void)length;
    errno = EINVAL;
    return -1;
}

static ork_function stand_in(const char *name)
{
    if (strcmp(name, "free") == 0)
        return (ork_function)drop;
    if (strcmp(name, "realloc") == 0)
        return (ork_function)refuse_memory;
    return strcmp(name, "munmap") == 0 ? (ork_function)refuse_unmap : NULL;
}

/* RATIONALE: dlsym() frees what was said about an earlier error. That is lost, once. */
static ork_function find_system(const char *name)
{
    ork_function function;

    if (is_finding)
        return stand_in(name);
    is_finding = true;
    function = ork_preload_next(name);
    is_finding = false;
    return function;
}

static void resolve_system(unsigned entry)
{
    ork_function function = find_system(entries[entry].name);

    if (function != NULL)
        lead_to(entry, function);
}

/* RATIONALE: before main(), so that none is looked up in a signal handler. But constructors of
 * other libraries, and the dynamic linker, call these functions earlier. */
static __attribute__((constructor)) void resolve_all_of_system(void)
{
    int saved = errno;

    for (unsigned i = 0; i < ENTRIES; i++) {
        if (entries[i].owner == OF_SYSTEM)
            resolve_system(i);
    }
    errno = saved;
}

static void replace_system(void)
{
    for (unsigned i = 0; i < ENTRIES; i++) {
        ork_function function =
            entries[i].owner == OF_SYSTEM ? ork_backend_symbol(entries[i].name) : NULL;
        if (function != NULL)
            lead_to(i, function);
    }
}

/* ---- functions of MPI ---- */

static void choose(const void *caller)
{
    is_choosing = true;
    pthread_mutex_lock(&choice);
    if (!atomic_load(&is_chosen)) {
        has_library = ork_chosen_find(caller);
        has_backend = has_library && ork_backend_open();
        if (has_backend)
            replace_system();
        atomic_store(&is_chosen, has_library); /* else one may be opened later */
    }
    pthread_mutex_unlock(&choice);
    is_choosing = false;
}

/* RATIONALE: another tool finds out by its return address which call of the program it is in. So it
 * is not called from a hook, but in the place of one: what it calls, passes through the entry of
 * PMPI_X, whether the tool comes before this file or behind it. */
static ork_function find_mpi(const char *name)
{
    ork_function function = name[0] != 'P' && has_library ? ork_tool_function(name) : NULL;

    if (function == NULL && has_backend)
        function = ork_backend_symbol(name);
    else if (function == NULL && has_library)
        function = ork_other_symbol(name);
    return function != NULL ? function : ork_preload_library(name);
}

/* RATIONALE: the library that is being chosen may call its own functions by their public names; and
 * a signal handler may interrupt the choice. Such a call is made, and is not recorded. */
static ork_function resolve_mpi(unsigned entry, const void *caller)
{
    const char *name = entries[entry].name;
    ork_function function;

    if (is_choosing)
        return ork_preload_library(name);
    if (!atomic_load(&is_chosen))
        choose(caller);
    function = find_mpi(name);
    if (function != NULL)
        lead_to(entry, function);
    return function;
}

static int answer_no(int *flag)
{
    *flag = 0;
    return 0;
}

/* RATIONALE: without the tool, a library that is used with and without MPI finds out by such a name
 * whether there is an MPI library (a weak symbol, dlsym()), and then asks it. */
static ork_function without_library(const char *name)
{
    const char *plain = name + (name[0] == 'P');
    bool is_question = strcmp(plain, "MPI_Initialized") == 0 || strcmp(plain, "MPI_Finalized") == 0;

    return is_question && !has_library ? (ork_function)answer_no : NULL;
}

ork_function ork_jump_resolve(unsigned entry, const void *caller)
{
    const char *name = entries[entry].name;
    int saved = errno;
    ork_function function =
        entries[entry].owner == OF_SYSTEM ? find_system(name) : resolve_mpi(entry, caller);

    if (function == NULL)
        function = without_library(name);
    if (function == NULL) {
        ork_error("%s has no %s", has_library ? "the MPI library of this process" : "this process",
                  name);
        end_process();
    }
    if (entries[entry].owner == OF_SYSTEM && !is_finding)
        lead_to(entry, function);
    errno = saved;
    return function;
}
