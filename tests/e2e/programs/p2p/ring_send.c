/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank of a ring sends to its right before it receives from its left.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * OUTPUT: 1
 * CLASS: potential
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,1,2,3}
 * CALL: 2 MPI_Send HERE
 * SAYS_LINE: HERE
 * EXIT: 66
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int right = (rank + 1) % 4;
    int left = (rank + 3) % 4;

    MPI_Send(&out, 1, MPI_INT, right, 0, MPI_COMM_WORLD); /* HERE */
    MPI_Recv(&in, 1, MPI_INT, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
