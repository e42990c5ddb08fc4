/* SPDX-License-Identifier: BSD-3-Clause */
/* Neighbourhood collectives with counts on a periodic grid.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 12 2 31 21 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request[1];
    int take[4];
    int all[4];
    MPI_Comm grid;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int give[4] = {rank, rank + 10, rank + 20, rank + 30};
    int count[4] = {1, 1, 1, 1};
    int place[4] = {0, 1, 2, 3};

    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){1, 1}, 0, &grid);
    MPI_Neighbor_alltoallv(give, count, place, MPI_INT, take, count, place, MPI_INT, grid);
    MPI_Ineighbor_allgatherv(&rank, 1, MPI_INT, all, count, place, MPI_INT, grid, &request[0]);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Comm_free(&grid);
    if (rank == 0)
        printf("%d %d %d %d %d\n", take[0], take[1], take[2], take[3], all[3]);
    MPI_Finalize();
    return 0;
}
