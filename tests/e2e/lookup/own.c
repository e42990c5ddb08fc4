/* SPDX-License-Identifier: BSD-3-Clause */
/* A library of the program that has a function of this name itself, as some do for MPI libraries
 * without it. */
#include <mpi.h>

int MPIX_Comm_agree(MPI_Comm comm, int *flag);

int MPIX_Comm_agree(MPI_Comm comm, int *flag)
{
    return MPI_Allreduce(MPI_IN_PLACE, flag, 1, MPI_INT, MPI_BAND, comm);
}
