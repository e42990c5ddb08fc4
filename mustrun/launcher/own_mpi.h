/* SPDX-License-Identifier: BSD-3-Clause */
/* Does a program contain the MPI library? Then its calls of MPI go to no shared library. */
#ifndef ORK_MUSTRUN_LAUNCHER_OWN_MPI_H
#define ORK_MUSTRUN_LAUNCHER_OWN_MPI_H

#include <stdbool.h>

/* By its symbols; false also if the file has none, or is no ELF file. */
bool ork_has_own_mpi(const char *path);

#endif
