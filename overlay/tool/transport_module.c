/* SPDX-License-Identifier: BSD-3-Clause */
#include "overlay/tool/transport_module.h"

#include "common/log.h"
#include "common/mpi_files.h"
#include "common/text.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum ork_status create(uint32_t fanin, struct ork_transport **out);

/* The path of the module; the caller's. NULL: unknown. */
static char *find_module(const char *name)
{
    char path[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", path, sizeof(path) - 1);

    if (n <= 0)
        return NULL;
    path[n] = '\0';
    *strrchr(path, '/') = '\0';
    return ork_text("%s/must-tool-%s.so", path, name);
}

/* A module that names no library needs the one of the launcher. RATIONALE: libraries with the ABI
 * of MPICH have one of these names; that of the launcher is the first that is found, as for
 * programs.
 */
static void open_library(const char *name)
{
    bool is_open = strcmp(name, "mpich") != 0;

    for (size_t i = 0; !is_open && ork_mpi_of_mpich[i] != NULL; i++)
        is_open = dlopen(ork_mpi_of_mpich[i], RTLD_NOW | RTLD_GLOBAL) != NULL;
}

/* RATIONALE: the MPI library loads plugins that take its symbols from the global scope. */
enum ork_status ork_transport_module_create(const char *name, uint32_t fanin,
                                            struct ork_transport **out)
{
    char *path = find_module(name);

    open_library(name);
    void *module = path != NULL ? dlopen(path, RTLD_NOW | RTLD_GLOBAL) : NULL;
    void *symbol = module != NULL ? dlsym(module, ORK_TRANSPORT_CREATE) : NULL;
    create *function;

    free(path);
    if (symbol == NULL) {
        const char *why = dlerror();
        ork_error("the processes of several nodes cannot be connected: %s",
                  why != NULL ? why : "/proc/self/exe cannot be read");
        return ORK_NOTFOUND;
    }
    memcpy(&function, &symbol, sizeof(function)); /* as POSIX has it for functions */
    return function(fanin, out);
}
