/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 enters the neighbourhood collective only after a message that rank 0 sends behind it.
 * Rank 0 is no neighbour of rank 2, so a library need not block it, but may.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * OUTPUT: 4 3
 * CLASS: potential
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,2}
 * CALL: 0 MPI_Neighbor_alltoall HERE
 * CALL: 2 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int give[2] = {3, 4};
    int take[2];
    MPI_Comm ring;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){4}, (int[]){1}, 0, &ring);
    if (rank == 2)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Neighbor_alltoall(give, 1, MPI_INT, take, 1, MPI_INT, ring);        /* HERE */
    if (rank == 0) {
        MPI_Send(&out, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
        printf("%d %d\n", take[0], take[1]);
    }
    MPI_Comm_free(&ring);
    MPI_Finalize();
    return 0;
}
