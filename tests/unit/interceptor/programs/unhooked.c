/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive from anybody that is complete before it is waited for, five barriers, and a
 * communicator that is not freed. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int got, out = 7;
    MPI_Request request;
    MPI_Comm leaked;

    MPI_Init(&argc, &argv);
    MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &request);
    MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    for (int i = 0; i < 5; i++)
        MPI_Barrier(MPI_COMM_SELF);
    MPI_Bcast(&out, 1, MPI_INT, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Comm_dup(MPI_COMM_SELF, &leaked);
    MPI_Finalize();
    return 0;
}
