/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 receives only the first of the messages of rank 0 (MPI-3.1 section 3.5: the second send
 * may wait for its receive). That is one mistake, so the lost message is not told once more.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Send HERE
 * CALL: 1 MPI_Finalize
 * SAYS_LINE: HERE
 * SAYS: Rank 1 is in MPI_Finalize and receives no more messages
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD); /* HERE */
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
