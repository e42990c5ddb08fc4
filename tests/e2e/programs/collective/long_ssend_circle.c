/* SPDX-License-Identifier: BSD-3-Clause */
/* A circle of eight synchronous sends.
 *
 * RANKS: 8
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3 4 5 6 7
 * ROOTS: {0,1,2,3,4,5,6,7}
 * CALL: 4 MPI_Ssend HERE
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
    MPI_Ssend(&out, 1, MPI_INT, (rank + 1) % 8, 0, MPI_COMM_WORLD); /* HERE */
    MPI_Recv(&in, 1, MPI_INT, (rank + 7) % 8, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
