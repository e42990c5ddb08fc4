/* SPDX-License-Identifier: BSD-3-Clause */
#include "interceptor/site/module.h"

#include "common/mpi_files.h"
#include "interceptor/preload/preload.h"
#include "interceptor/site/python.h"

#include <dlfcn.h>
#include <link.h>
#include <stdlib.h>
#include <unistd.h>

static struct ork_module **modules;
static uint32_t num_modules;

static const char *basename_of(const char *path)
{
    const char *slash = strrchr(path, '/');

    return slash != NULL ? slash + 1 : path;
}

static bool is_same_file(const void *symbol, const struct link_map *map)
{
    Dl_info info;
    struct link_map *other;

    return symbol != NULL && dladdr1(symbol, &info, (void **)&other, RTLD_DL_LINKMAP) != 0 &&
           other == map;
}

/* Is it a part of the tool: this backend, or the preload file? */
static bool is_own_file(const struct link_map *map)
{
    ork_function shared = (ork_function)ork_preload_is_library;
    const void *address;

    memcpy(&address, &shared, sizeof(address));
    return is_same_file(&ork_recorder, map) || is_same_file(address, map);
}

static enum ork_caller classify(const struct link_map *map)
{
    const char *name = basename_of(map->l_name);

    if (map->l_name[0] == '\0')
        return ORK_CALLER_APPLICATION;
    if (is_own_file(map) || ork_preload_is_library(map))
        return ORK_CALLER_MPI;
    switch (ork_mpi_file_of(name)) {
    case ORK_MPI_FILE_BINDING:
        return ORK_CALLER_BINDING;
    case ORK_MPI_FILE_LIBRARY:
        return ORK_CALLER_MPI;
    case ORK_MPI_FILE_NONE:
        break;
    }
    return ork_python_is_extension(map->l_name) ? ORK_CALLER_PYTHON : ORK_CALLER_APPLICATION;
}

static struct link_map *look_up(uintptr_t address, Dl_info *info)
{
    struct link_map *map = NULL;

    /* RATIONALE: an integer as a pointer; the address is only looked up. */
    if (dladdr1((const void *)address, info, (void **)&map, RTLD_DL_LINKMAP) == 0)
        return NULL;
    return map;
}

static struct link_map *map_of(uintptr_t address)
{
    Dl_info info;

    return look_up(address, &info);
}

enum ork_caller ork_module_caller(uintptr_t address)
{
    struct link_map *map = map_of(address);

    return map != NULL ? classify(map) : ORK_CALLER_APPLICATION;
}

/* RATIONALE: a call may be the last instruction of its function. */
enum ork_caller ork_module_function(uintptr_t address, const char **symbol)
{
    Dl_info info;
    struct link_map *map = look_up(address - 1, &info);

    *symbol = map != NULL ? info.dli_sname : NULL;
    return map != NULL ? classify(map) : ORK_CALLER_APPLICATION;
}

/* The executable has no name in the list of loaded files. */
static char *path_of(const struct link_map *map)
{
    char self[4096];
    ssize_t n;

    if (map->l_name[0] != '\0')
        return strdup(map->l_name);
    n = readlink("/proc/self/exe", self, sizeof(self) - 1);
    if (n < 0)
        n = 0;
    self[n] = '\0';
    return strdup(self);
}

static struct ork_module *module_create(const struct link_map *map)
{
    struct ork_module *m = calloc(1, sizeof(*m));
    struct ork_module **more = realloc(modules, (num_modules + 1) * sizeof(struct ork_module *));

    if (more != NULL)
        modules = more;
    if (m == NULL || more == NULL)
        goto err_free_module;
    m->path = path_of(map);
    if (m->path == NULL)
        goto err_free_module;
    m->base = map->l_addr;
    m->caller = classify(map);
    modules[num_modules] = m;
    m->id = ++num_modules;
    return m;

err_free_module:
    free(m);
    return NULL;
}

static void put_module(const struct ork_module *m)
{
    struct ork_record record = {.kind = ORK_KIND_MODULE, .thread = ork_thread.index, .arg = m->id};

    ork_lock();
    ork_put_text(&record, m->path, strlen(m->path));
    ork_unlock();
}

const struct ork_module *ork_module_of(uintptr_t address)
{
    struct link_map *map = map_of(address);
    struct ork_module *m;

    if (map == NULL)
        return NULL;
    for (uint32_t i = 0; i < num_modules; i++)
        if (modules[i]->base == map->l_addr &&
            (map->l_name[0] == '\0' || strcmp(modules[i]->path, map->l_name) == 0))
            return modules[i];
    m = module_create(map);
    if (m != NULL && (m->caller == ORK_CALLER_APPLICATION || m->caller == ORK_CALLER_PYTHON))
        put_module(m);
    return m;
}
