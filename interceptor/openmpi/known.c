/* SPDX-License-Identifier: BSD-3-Clause */
/* Open MPI: by the symbol that its handle MPI_COMM_WORLD is the address of. */
#include "interceptor/mpi/mpi_library.h"

#include <dlfcn.h>
#include <stddef.h>

bool ork_library_is_known(const char *path)
{
    void *handle = dlopen(path, RTLD_LAZY | RTLD_NOLOAD);
    const void *world = handle != NULL ? dlsym(handle, "ompi_mpi_comm_world") : NULL;

    if (handle != NULL)
        dlclose(handle); /* it stays mapped: the program uses it */
    return world != NULL;
}
