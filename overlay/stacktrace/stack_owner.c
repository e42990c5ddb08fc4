/* SPDX-License-Identifier: BSD-3-Clause */
/* Which software does a mapped file belong to? Decided by its name. */
#include "common/mpi_files.h"
#include "overlay/stacktrace/stack_internal.h"

#include <string.h>

/* The interceptor, MPI libraries and their layers for other languages. */
bool ork_stack_is_mpi(const char *name)
{
    static const char own[] = "libmust-interceptor"; /* and its backends */

    return strncmp(name, own, strlen(own)) == 0 || ork_mpi_file_of(name) != ORK_MPI_FILE_NONE;
}

bool ork_stack_is_system(const char *name)
{
    static const char *const file[] = {"libc.", "libc-", "ld-", "libpthread", "[vdso"};

    for (size_t i = 0; i < sizeof(file) / sizeof(file[0]); i++)
        if (strncmp(name, file[i], strlen(file[i])) == 0)
            return true;
    return false;
}

bool ork_stack_is_foreign(const char *file)
{
    return ork_stack_is_mpi(file) || ork_stack_is_system(file);
}
