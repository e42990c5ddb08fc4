/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/preload/backend.h"

#include "common/log.h"
#include "interceptor/preload/chosen.h"

#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static void *handle;
static const struct link_map *file;

static const char *name_of(enum ork_family family)
{
    switch (family) {
    case ORK_FAMILY_OPENMPI:
        return "openmpi";
    case ORK_FAMILY_MPICH:
        return "mpich";
    case ORK_FAMILY_ABI:
        return "abi";
    case ORK_FAMILY_UNKNOWN:
        break;
    }
    return NULL;
}

/* The path of a backend beside this file: for libraries whose soname ends in `version`, which
 * begins with ".so". False: there is no such file. */
static bool find_file(const char *family, const char *version, char path[PATH_MAX])
{
    const struct link_map *own = ork_file_of(&handle);
    const char *slash = own != NULL ? strrchr(own->l_name, '/') : NULL;
    int folder = slash != NULL ? (int)(slash - own->l_name) : 0;
    int n;

    if (folder == 0)
        return false;
    n = snprintf(path, PATH_MAX, "%.*s/libmust-interceptor-%s%s", folder, own->l_name, family,
                 version);
    return n > 0 && n < PATH_MAX && access(path, R_OK) == 0;
}

bool ork_backend_open(void)
{
    const char *family = name_of(ork_chosen()->family);
    const char *version = strstr(ork_chosen()->soname, ".so");
    char path[PATH_MAX];

    if (family == NULL)
        return false;
    if ((version == NULL || !find_file(family, version, path)) && !find_file(family, ".so", path))
        return false;
    handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (handle == NULL || dlinfo(handle, RTLD_DI_LINKMAP, &file) != 0) {
        ork_error("calls of MPI are not observed: %s", dlerror());
        handle = NULL;
    }
    return handle != NULL;
}

const char *ork_backend_file(void)
{
    return handle != NULL ? file->l_name : NULL;
}

ork_function ork_backend_symbol(const char *symbol)
{
    void *found = handle != NULL ? ork_symbol_of(file, handle, symbol) : NULL;
    ork_function function;

    memcpy(&function, &found, sizeof(function));
    return function;
}
