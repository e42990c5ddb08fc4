/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 takes itself for the last one of the row, and sends to MPI_PROC_NULL instead of rank 2.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 2 MPI_Recv HERE
 * SAYS: rank 1 sends tag 4 to MPI_PROC_NULL \(MPI_Send at .*\), but rank 2 waits for such a message
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 3; i++) {
        int left = rank == 0 ? MPI_PROC_NULL : rank - 1;
        int right = rank == 2 || (rank == 1 && i == 2) ? MPI_PROC_NULL : rank + 1;
        MPI_Send(&out, 1, MPI_INT, right, 4, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, left, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
