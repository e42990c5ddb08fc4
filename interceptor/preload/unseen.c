/* SPDX-License-Identifier: BSD-3-Clause */
/* A process that ends without a call of MPI_Init that passed through this library, although it used
 * MPI: a plugin that is opened with RTLD_DEEPBIND finds the MPI library first, and so may a library
 * before this one in LD_PRELOAD. Then the tool has seen nothing, which is not the same as nothing
 * to see. */
#include "common/mpi_files.h"
#include "interceptor/preload/attach.h"
#include "interceptor/preload/real_dlsym.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* RATIONALE: a forked child has what its parent has loaded, and is no rank. */
static pid_t loaded_by;
static _Atomic bool was_seen;

void ork_preload_note_init(void)
{
    atomic_store(&was_seen, true);
}

__attribute__((constructor)) static void note_process(void)
{
    loaded_by = getpid();
}

/* MPI may be called before MPI_Init and after MPI_Finalize with this only. */
typedef int initialized(int *flag);

/* The next file of an MPI library, and how many of them come before it. */
struct search {
    unsigned skip;
    char *path;
};

static int look_at(struct dl_phdr_info *info, size_t size, void *context)
{
    const char *slash = strrchr(info->dlpi_name, '/');
    struct search *search = context;

    (void)size;
    if (ork_mpi_file_of(slash != NULL ? slash + 1 : info->dlpi_name) != ORK_MPI_FILE_LIBRARY ||
        search->skip-- > 0)
        return 0;
    search->path = strdup(info->dlpi_name);
    return 1; /* ends the search */
}

/* As this file, which is mapped, or those that it needs, have it; NULL: they do not. */
static initialized *find_in(const char *path)
{
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    void *symbol = handle != NULL ? ork_dlsym(handle, "PMPI_Initialized") : NULL;
    initialized *function;

    if (handle != NULL)
        dlclose(handle);                          /* it stays mapped: the program has opened it */
    memcpy(&function, &symbol, sizeof(function)); /* as POSIX has it for functions */
    return symbol != NULL ? function : NULL;
}

static bool is_initialized(void)
{
    int flag = 0;

    for (unsigned i = 0;; i++) {
        struct search search = {.skip = i};
        dl_iterate_phdr(look_at, &search);
        if (search.path == NULL)
            return false;
        initialized *ask = find_in(search.path);
        free(search.path);
        if (ask != NULL)
            return ask(&flag) == 0 && flag != 0;
    }
}

/* RATIONALE: as a destructor of a library that was loaded first, this comes after all that the
 * program does at its end. */
__attribute__((destructor)) static void tell(void)
{
    int saved = errno;

    if (!atomic_load(&was_seen) && getenv(ORK_ENV_SESSION) != NULL && getpid() == loaded_by &&
        is_initialized())
        ork_attach_tell_unseen(&(struct ork_unseen){.why = ORK_UNSEEN_LOOKED_UP}, 0);
    errno = saved;
}
