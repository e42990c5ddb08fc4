/* SPDX-License-Identifier: BSD-3-Clause */
/* A standard send to oneself before the receive that would take it.
 *
 * RANKS: 1
 * EXPECT: deadlock
 * OUTPUT: 1
 * CLASS: potential
 * DEADLOCKED: 0
 * ROOTS: {0}
 * CALL: 0 MPI_Send HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD); /* HERE */
    MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
