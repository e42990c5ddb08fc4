/* SPDX-License-Identifier: BSD-3-Clause */
/* The table of the entries: at first each one leads to ork_jump_resolve(), by way of code that
 * keeps all registers that may have arguments (made by interceptor/gen/entries.py). */
#include "interceptor/preload/resolve.h"

#include "common/log.h"
#include "common/session.h"
#include "interceptor/preload/backend.h"
#include "interceptor/preload/chosen.h"
#include "interceptor/preload/entries.h"
#include "interceptor/preload/other.h"
#include "interceptor/preload/tools.h"
#include "interceptor/preload/weak.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* What is called by way of an entry whose calls are counted; NULL: not looked up yet. */
static _Atomic(ork_function) counted[ORK_ENTRIES];
static void (*count_call)(enum ork_call_id id, const void *caller); /* by the backend */

/* The library of this process is known, and its backend is open, if it has one. */
static _Atomic bool is_chosen;
static pthread_mutex_t choice = PTHREAD_MUTEX_INITIALIZER;
static bool has_library, has_backend;

/* This thread chooses; or looks up a function of the system. */
static _Thread_local bool is_choosing __attribute__((tls_model("initial-exec")));
static _Thread_local bool is_finding __attribute__((tls_model("initial-exec")));

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
    ork_function function = find_system(ork_entries[entry].name);

    if (function != NULL)
        lead_to(entry, function);
}

/* RATIONALE: before main(), so that none is looked up in a signal handler. But constructors of
 * other libraries, and the dynamic linker, call these functions earlier. */
static __attribute__((constructor)) void prepare(void)
{
    int saved = errno;

    for (unsigned i = 0; i < ORK_ENTRIES; i++) {
        if (ork_entries[i].owner == ORK_OF_SYSTEM)
            resolve_system(i);
    }
    if (ork_preload_next("PMPI_Init") != NULL) /* else when a library is chosen */
        ork_weak_repair();
    errno = saved;
}

static void replace_system(void)
{
    for (unsigned i = 0; i < ORK_ENTRIES; i++) {
        ork_function function =
            ork_entries[i].owner == ORK_OF_SYSTEM ? ork_backend_symbol(ork_entries[i].name) : NULL;
        if (function != NULL)
            lead_to(i, function);
    }
}

/* ---- functions of MPI ---- */

static void find_count(void)
{
    ork_function function = ork_backend_symbol("ork_unhooked_call");

    memcpy(&count_call, &function, sizeof(count_call));
}

static void choose(const void *caller)
{
    is_choosing = true;
    pthread_mutex_lock(&choice);
    if (!atomic_load(&is_chosen)) {
        has_library = ork_chosen_find(caller);
        has_backend = has_library && ork_backend_open();
        if (has_library)
            ork_weak_repair();
        if (has_backend) {
            replace_system();
            find_count();
        }
        atomic_store(&is_chosen, has_library); /* else one may be opened later */
    }
    pthread_mutex_unlock(&choice);
    is_choosing = false;
}

/* For tests of the tool: is the hook left out, as if there was none? */
static bool is_left_out(const struct ork_entry_name *e)
{
    const char *list = getenv(ORK_ENV_UNHOOKED);
    const char *name = ork_call_name(e->call);
    size_t length = strlen(name);

    for (const char *at = list; at != NULL && at[0] != '\0'; at += strcspn(at, ",")) {
        at += at[0] == ',';
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return e->owner == ORK_OF_MPI;
    }
    return false;
}

static ork_function find_own(const struct ork_entry_name *e)
{
    if (!has_backend)
        return has_library ? ork_other_symbol(e->name) : NULL;
    return is_left_out(e) ? NULL : ork_backend_symbol(e->name);
}

/* What the entry is to lead to. NULL: its calls are counted, or there is nothing. RATIONALE: names
 * above MPI-3.1 may also be those of functions that a program has for libraries without them. And
 * another tool finds out by its return address which call of the program it is in. So it is not
 * called from a hook, but in the place of one: what it calls, passes through the entry of PMPI_X,
 * whether the tool comes before this file or behind it. */
static ork_function find_mpi(const struct ork_entry_name *e, const void *caller)
{
    ork_function function = NULL;

    if (e->owner == ORK_OF_NEWER)
        function = ork_preload_of_program(e->name, caller);
    else if (e->name[0] != 'P' && has_library)
        function = ork_tool_function(e->name);
    if (function == NULL && e->owner != ORK_OF_NEWER)
        function = find_own(e);
    if (function != NULL || (has_backend && e->call != ORK_CALL_NONE))
        return function;
    return ork_preload_library(e->name);
}

/* NULL: there is no such function. */
static ork_function count(unsigned entry, const void *caller)
{
    ork_function function = atomic_load_explicit(&counted[entry], memory_order_acquire);

    if (function == NULL) {
        function = ork_preload_library(ork_entries[entry].name);
        atomic_store_explicit(&counted[entry], function, memory_order_release);
    }
    if (function != NULL && count_call != NULL)
        count_call(ork_entries[entry].call, caller);
    return function;
}

/* RATIONALE: the library that is being chosen may call its own functions by their public names; and
 * a signal handler may interrupt the choice. Such a call is made, and is not recorded. */
static ork_function resolve_mpi(unsigned entry, const void *caller)
{
    ork_function function = atomic_load(&counted[entry]);

    if (is_choosing)
        return ork_preload_library(ork_entries[entry].name);
    if (!atomic_load(&is_chosen))
        choose(caller);
    if (function == NULL && (function = find_mpi(&ork_entries[entry], caller)) != NULL) {
        lead_to(entry, function);
        return function;
    }
    return has_backend && ork_entries[entry].call != ORK_CALL_NONE ? count(entry, caller) : NULL;
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
    const char *name = ork_entries[entry].name;
    int saved = errno;
    ork_function function =
        ork_entries[entry].owner == ORK_OF_SYSTEM ? find_system(name) : resolve_mpi(entry, caller);

    if (function == NULL)
        function = without_library(name);
    if (function == NULL) {
        ork_error("%s has no %s", has_library ? "the MPI library of this process" : "this process",
                  name);
        end_process();
    }
    if (ork_entries[entry].owner == ORK_OF_SYSTEM && !is_finding)
        lead_to(entry, function);
    errno = saved;
    return function;
}
