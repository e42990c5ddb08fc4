/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/lookup.h"

#include "common/mpi_files.h"
#include "interceptor/preload/chosen.h"
#include "interceptor/preload/real_dlsym.h"
#include "interceptor/preload/entries.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <string.h>

static bool is_of_mpi(const char *symbol)
{
    const char *name = symbol + (symbol[0] == 'P');

    return (strncmp(name, "MPI_", 4) == 0 || strncmp(name, "MPIX_", 5) == 0) &&
           ork_has_entry(symbol);
}

/* Does the program have this function without the tool? RATIONALE: RTLD_NEXT does not find what was
 * opened later with RTLD_GLOBAL. */
static bool exists(const char *symbol, const void *caller)
{
    return ork_dlsym(RTLD_NEXT, symbol) != NULL || ork_preload_of_caller(symbol, caller) != NULL ||
           ork_loaded_mpi_has(symbol);
}

/* Of a file that is there, and has nothing of MPI. */
static void *handle_without(void)
{
    return dlopen("libc.so.6", RTLD_LAZY | RTLD_NOLOAD);
}

/* RATIONALE: the library itself, its layers, and layers that translate between libraries have to
 * find what they ask for, or they would call themselves by way of the entry. */
static bool is_of_library(const void *caller)
{
    const struct link_map *file = ork_file_of(caller);
    const char *slash = file != NULL ? strrchr(file->l_name, '/') : NULL;

    return slash != NULL &&
           (ork_mpi_file_of(slash + 1) != ORK_MPI_FILE_NONE || ork_defines(file, "MPI_Init"));
}

static void *look_up(void *handle, const char *symbol, const void *caller)
{
    bool is_search = handle == RTLD_DEFAULT || handle == RTLD_NEXT;
    const struct link_map *file = is_search ? NULL : ork_file_of(ork_dlsym(handle, symbol));
    const struct ork_chosen *chosen = ork_chosen();

    if (is_search || file == ork_own_file())
        return exists(symbol, caller) ? handle : handle_without();
    if (file == NULL || is_of_library(caller) || (chosen->file != NULL && chosen->file != file) ||
        !ork_is_mpi(file))
        return handle;
    return ork_own_handle();
}

void *ork_lookup_handle(void *handle, const char *symbol, const void *caller)
{
    int saved = errno;

    ork_find_dlsym();
    if (symbol != NULL && is_of_mpi(symbol))
        handle = look_up(handle, symbol, caller);
    errno = saved;
    return handle;
}
