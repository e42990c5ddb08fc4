/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/on_demand.h"

#include "common/exitcode.h"
#include "common/log.h"

#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>

void *ork_on_demand_find(const char *library, const char *function)
{
    void *handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
    void *address = handle != NULL ? dlsym(handle, function) : NULL;

    if (address != NULL)
        return address;
    ork_error("%s", dlerror());
    _exit(ORK_EXIT_UNAVAILABLE);
}
