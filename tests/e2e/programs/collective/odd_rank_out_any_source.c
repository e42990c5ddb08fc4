/* SPDX-License-Identifier: BSD-3-Clause */
/* Seven ranks of eight are in MPI_Allreduce. Rank 3 waits for a message of anybody instead,
 * and must be named.
 *
 * RANKS: 8
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3 4 5 6 7
 * ROOTS: {0,1,2,3,4,5,6,7}
 * CALL: 0 MPI_Allreduce
 * CALL: 3 MPI_Recv HERE
 * SAYS: (?i)rank 3\b.*MPI_Recv
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
    if (rank == 3)
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
