/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends after it has freed a communicator, rank 2 receives before it frees it. Freeing is
 * collective, so a library may wait (MPI-3.1 section 6.4.3), and the strictest model says so.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * OPTIONS: --must:collectives strictest
 * CLASS: potential
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,2}
 * CALL: 0 MPI_Comm_free HERE
 * CALL: 1 MPI_Comm_free HERE
 * CALL: 2 MPI_Recv THERE
 * SAYS_LINE: HERE
 * OUTPUT: 7
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 7;
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank == 2) {
        usleep(50000); /* the others are there first */
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* THERE */
        printf("%d\n", word);
    }
    MPI_Comm_free(&copy); /* HERE */
    if (rank == 0)
        MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
