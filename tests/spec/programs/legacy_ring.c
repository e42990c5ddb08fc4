/* SPDX-License-Identifier: BSD-3-Clause */
#include "legacy.h"

#include <mpi.h>

/* The pair at the address that `type` holds goes round `steps` times; the last rank counts. */
void pass_around(MPI_Datatype type, int rank, int size)
{
    MPI_Status status;

    for (int i = 0; i < steps; i++) {
        if (rank > 0)
            MPI_Recv(MPI_BOTTOM, 1, type, rank - 1, 0, MPI_COMM_WORLD, &status);
        MPI_Send(MPI_BOTTOM, 1, type, (rank + 1) % size, 0, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Recv(MPI_BOTTOM, 1, type, size - 1, 0, MPI_COMM_WORLD, &status);
    }
}
