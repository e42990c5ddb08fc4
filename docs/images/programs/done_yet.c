/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 tests once whether the answer of rank 1 is there, and else goes on without it.
 *
 * RANKS: 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, answer = 42, is_there = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&answer, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Test(&request, &is_there, MPI_STATUS_IGNORE);
        printf("the answer is %s\n", is_there ? "there" : "not there yet");
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(&answer, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
