/* SPDX-License-Identifier: BSD-3-Clause */
/* As with MPI_Waitany, but with MPI_Waitsome, a third rank, and both receives from any source.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Recv THERE
 * PLAIN: hangs
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int count;
    int index[2];
    int word[2] = {0, 0};
    MPI_Request request[2];
    MPI_Comm all = MPI_COMM_WORLD;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Issend(&word[0], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Issend(&word[1], 1, MPI_INT, 2, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Waitsome(2, request, &count, index, MPI_STATUSES_IGNORE);
        MPI_Recv(&word[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    } else if (rank == 1) {
        MPI_Irecv(&word[0], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[0]);
        MPI_Recv(&word[1], 1, MPI_INT, MPI_ANY_SOURCE, 1, all, MPI_STATUS_IGNORE); /* THERE */
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&word[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
