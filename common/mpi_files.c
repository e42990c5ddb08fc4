/* SPDX-License-Identifier: BSD-3-Clause */
#include "common/mpi_files.h"

#include <stddef.h>
#include <string.h>

static const struct {
    const char *prefix;
    enum ork_mpi_file kind;
} files[] = {
#define ORK_MPI_FILE(prefix, kind) {prefix, ORK_MPI_FILE_##kind},
#include "common/mpi_files.def"
};

const char *const ork_mpi_of_openmpi[] = {
#define ORK_MPI_OF_OPENMPI(soname) soname,
#include "common/mpi_files.def"
    NULL};

const char *const ork_mpi_of_mpich[] = {
#define ORK_MPI_OF_MPICH(soname) soname,
#include "common/mpi_files.def"
    NULL};

const char *const ork_mpi_of_standard[] = {
#define ORK_MPI_OF_STANDARD(soname) soname,
#include "common/mpi_files.def"
    NULL};

enum ork_mpi_file ork_mpi_file_of(const char *name)
{
    for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
        if (strncmp(name, files[i].prefix, strlen(files[i].prefix)) == 0)
            return files[i].kind;
    }
    return ORK_MPI_FILE_NONE;
}
