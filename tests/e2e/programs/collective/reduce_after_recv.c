/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 sends after the reduction what the root receives before it: well only as long as a rank
 * that gets no result does not wait.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv THERE
 * CALL: 1 MPI_Reduce HERE
 * SAYS_LINE: HERE
 * OUTPUT: 8
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 4;
    int sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* THERE */
        MPI_Reduce(&word, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
        printf("%d\n", sum);
    } else {
        MPI_Reduce(&word, NULL, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD); /* HERE */
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
