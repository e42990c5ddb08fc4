/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends a number to rank 1. Without -DANSWER, no rank receives the answer of rank 1. */
#include <mpi.h>

int main(int argc, char **argv)
{
    int word = 7;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
#ifdef ANSWER
        MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
#endif
    } else {
        MPI_Request request;

        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Isend(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
    }
    MPI_Finalize();
}
