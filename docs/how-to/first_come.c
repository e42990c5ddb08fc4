// SPDX-License-Identifier: BSD-3-Clause
// Rank 0 takes the results of two ranks, and asks the one that was first for its statistics.
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, result = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        usleep(20000); // it has more to do
    if (rank > 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Send(&rank, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Recv(&result, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    }
    MPI_Finalize();
    return 0;
}
