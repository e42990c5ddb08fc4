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

/* Is the file at `path`, by its name, one of these libraries? */
static bool is_one_of(const char *path, const char *const *names)
{
    while (*names != NULL && strcmp(ork_base_name(path), *names) != 0)
        names++;
    return *names != NULL;
}

static bool is_opened(const char *library)
{
    return dlopen(library, RTLD_NOW | RTLD_GLOBAL) != NULL;
}

/* Is it one that the launcher of this module starts? RATIONALE: a program may be started by the
 * launcher of another library; then the tool must not be. */
static bool is_started_by(const char *name, const char *library)
{
    static const char openmpi[] = "Open MPI";
    char version[8192] = ""; /* the standard's MPI_MAX_LIBRARY_VERSION_STRING */
    int (*get)(char *, int *);
    int length = 0;
    void *file = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    void *symbol = file != NULL ? dlsym(file, "MPI_Get_library_version") : NULL;

    if (symbol == NULL)
        return false;
    memcpy(&get, &symbol, sizeof(get)); /* as POSIX has it for functions */
    get(version, &length);
    bool is_openmpi = strncmp(version, openmpi, strlen(openmpi)) == 0;
    return is_openmpi == (strcmp(name, "mpi") == 0);
}

/* A library with the standard ABI, in the folder of `path`: that itself, or, of a library that has
 * both ABIs, the one beside it. */
static bool open_standard(const char *name, const char *path)
{
    bool is_open = false;

    for (const char *const *soname = ork_mpi_of_standard; !is_open && *soname != NULL; soname++) {
        char *library = ork_text("%.*s%s", (int)(ork_base_name(path) - path), path, *soname);
        is_open = library != NULL && is_started_by(name, library) && is_opened(library);
        free(library);
    }
    return is_open;
}

/* Open the library that the module will use, and return the name of the module. RATIONALE: a file
 * that is open is the one that the module gets by its name. The module for libraries with the ABI
 * of MPICH names none: then it is the first that is found, as for programs. A library with neither
 * ABI (Open MPI 6) may have the standard one. */
static const char *open_library(const char *name, const char *path)
{
    bool is_mpich = strcmp(name, "mpich") == 0;
    const char *const *names = is_mpich ? ork_mpi_of_mpich : ork_mpi_of_openmpi;
    bool is_known = path == NULL || is_one_of(path, names);

    if (!is_known && open_standard(name, path))
        return "abi";
    bool is_open = path != NULL && is_known && is_opened(path);
    for (; is_mpich && !is_open && *names != NULL; names++)
        is_open = is_opened(*names);
    return name;
}

/* RATIONALE: the MPI library loads plugins that take its symbols from the global scope. */
enum ork_status ork_transport_module_create(const char *name, const char *library, uint32_t fanin,
                                            struct ork_transport **out)
{
    char *path = find_module(open_library(name, library));
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
