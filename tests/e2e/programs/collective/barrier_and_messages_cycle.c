/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 waits in a barrier for rank 1, rank 1 for a message of rank 2, rank 2 for a message
 * of rank 0.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Barrier HERE
 * CALL: 1 MPI_Recv HERE
 * CALL: 2 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Comm pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : MPI_UNDEFINED, 0, &pair);
    switch (rank) {
    case 0:
        MPI_Barrier(pair); /* HERE */
        MPI_Send(&out, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        break;
    case 1:
        MPI_Recv(&in, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        MPI_Barrier(pair);
        break;
    default:
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
