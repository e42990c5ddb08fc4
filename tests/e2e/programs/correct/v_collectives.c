/* SPDX-License-Identifier: BSD-3-Clause */
/* Collectives with counts that differ between the ranks.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 0 1 2 2 3 4 0 0 0
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int all[6];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int count[3] = {1, 2, 3};
    int start[3] = {0, 1, 3};
    int mine[3] = {rank, rank + 1, rank + 2};
    int same[3] = {1, 1, 1};
    int at[3] = {0, 1, 2};

    MPI_Gatherv(mine, count[rank], MPI_INT, all, count, start, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Scatterv(all, count, start, MPI_INT, mine, count[rank], MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allgatherv(mine, count[rank], MPI_INT, all, count, start, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(all, same, at, MPI_INT, mine, same, at, MPI_INT, MPI_COMM_WORLD);
    if (rank == 0) {
        for (int i = 0; i < 6; i++)
            printf("%d ", all[i]);
        printf("%d %d %d\n", mine[0], mine[1], mine[2]);
    }
    MPI_Finalize();
    return 0;
}
