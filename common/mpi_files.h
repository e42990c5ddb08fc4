/* SPDX-License-Identifier: BSD-3-Clause */
/* Which shared libraries are an MPI library's. */
#ifndef ORK_MPI_FILES_H
#define ORK_MPI_FILES_H

enum ork_mpi_file {
    ORK_MPI_FILE_NONE,
    ORK_MPI_FILE_BINDING, /* a language's layer over the C functions */
    ORK_MPI_FILE_LIBRARY, /* the library itself, its plugins, and what these share */
};

/* By the name of the file, without folders. */
enum ork_mpi_file ork_mpi_file_of(const char *name);

#endif
