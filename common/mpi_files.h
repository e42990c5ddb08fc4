/* SPDX-License-Identifier: BSD-3-Clause */
/* Which shared libraries belong to an MPI library? */
#ifndef ORK_MPI_FILES_H
#define ORK_MPI_FILES_H

enum ork_mpi_file {
    ORK_MPI_FILE_NONE,
    ORK_MPI_FILE_BINDING, /* a language binding over the C functions */
    ORK_MPI_FILE_LIBRARY, /* the library itself, its plugins, and their common libraries */
};

/* Names of libraries with the ABI of Open MPI 4.1, of MPICH, and of MPI-5.0, in the order in which
 * they are tried. NULL ends them. */
extern const char *const ork_mpi_of_openmpi[];
extern const char *const ork_mpi_of_mpich[];
extern const char *const ork_mpi_of_standard[];

/* By the name of the file, without folders. */
enum ork_mpi_file ork_mpi_file_of(const char *name);

#endif
