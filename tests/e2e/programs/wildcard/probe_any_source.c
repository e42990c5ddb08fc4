/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank probes for a message of anybody, and nobody sends.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 1 MPI_Probe HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Send(&out, 1, MPI_INT, (rank + 1) % 3, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
