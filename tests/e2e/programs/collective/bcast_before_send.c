/* SPDX-License-Identifier: BSD-3-Clause */
/* The root sends after the broadcast what the other rank receives before it: well only as long as
 * the root does not wait for the others.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Bcast HERE
 * CALL: 1 MPI_Recv THERE
 * SAYS_LINE: HERE
 * OUTPUT: 7
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 7;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD); /* HERE */
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* THERE */
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
        printf("%d\n", word);
    }
    MPI_Finalize();
    return 0;
}
