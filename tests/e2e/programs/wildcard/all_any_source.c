/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank would take a message of anybody, and nobody sends.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Recv HERE
 * CALL: 2 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int in = 0;

    MPI_Init(&argc, &argv);
    MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
