/* SPDX-License-Identifier: BSD-3-Clause */
/* The objects behind MPICH's handles, which its internal functions are given. Each begins with its
 * native handle (src/include/mpir_objects.h). */
#ifndef ORK_MPICH_OBJECTS_H
#define ORK_MPICH_OBJECTS_H

#include <mpi.h>
#include <stdbool.h>

/* The handle by which MPI's functions know the object. False: it is of another kind. */
bool ork_mpich_comm_of(const void *object, MPI_Comm *comm);
bool ork_mpich_win_of(const void *object, MPI_Win *win);

#endif
