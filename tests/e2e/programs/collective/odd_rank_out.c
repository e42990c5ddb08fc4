/* SPDX-License-Identifier: BSD-3-Clause */
/* Seven ranks of eight are in a barrier. Rank 5 waits for a message instead, and must be
 * named.
 *
 * RANKS: 8
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3 4 5 6 7
 * ROOTS: {0,5}
 * ADVISES: Let rank 5 call MPI_Barrier on MPI_COMM_WORLD, as rank 0 does
 * CALL: 0 MPI_Barrier
 * CALL: 7 MPI_Barrier
 * CALL: 5 MPI_Recv HERE
 * SAYS: (?i)rank 5\b.*MPI_Recv
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
    if (rank == 5) {
        usleep(50000); /* the others are there first */
        MPI_Recv(&in, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
