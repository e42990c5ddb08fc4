/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 0 and 1 hang in receives. Ranks 2 and 3 send to each other first, which needs buffers;
 * with them they wait in MPI_Finalize for the others.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * SAYS_LINE: HERE
 * MAYBE: potential; *; *
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int peer = rank ^ 1;

    if (rank < 2) {
        usleep(50000); /* the others are there first */
        MPI_Recv(&in, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    } else {
        MPI_Send(&out, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
