/* SPDX-License-Identifier: BSD-3-Clause */
/* A cancelled receive completes in MPI_Wait.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int box[1] = {0};
    MPI_Request request[1];
    int cancelled;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&box[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Cancel(&request[0]);
        MPI_Wait(&request[0], &status);
        MPI_Test_cancelled(&status, &cancelled);
        printf("%d\n", cancelled);
    }
    MPI_Finalize();
    return 0;
}
