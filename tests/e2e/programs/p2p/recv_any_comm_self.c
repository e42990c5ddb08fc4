/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 waits on MPI_COMM_SELF for a message that only itself could send; rank 1 waits for it
 * in MPI_Finalize.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Finalize
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
    if (rank == 0) {
        usleep(50000); /* the others are there first */
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
