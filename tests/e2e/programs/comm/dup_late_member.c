/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 waits for a message before it joins MPI_Comm_dup, in which the sender already is.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Comm_dup HERE
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);                                    /* HERE */
    MPI_Finalize();
    return 0;
}
