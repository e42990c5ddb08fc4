/* SPDX-License-Identifier: BSD-3-Clause */
/* Two pairs hang independently of each other; ranks 4 and 5 wait for all of them in a barrier.
 *
 * RANKS: 6
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3 4 5
 * ROOTS: {0,1} {2,3}
 * CALL: 0 MPI_Recv HERE
 * CALL: 3 MPI_Recv HERE
 * CALL: 5 MPI_Barrier
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank < 4) {
        usleep(50000); /* the others are there first */
        MPI_Recv(&in, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
