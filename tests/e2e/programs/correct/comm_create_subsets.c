/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Comm_create with disjoint groups, with an empty one and with one that not all are in; each
 * new communicator is used at once.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: even 2, first 3, none 1
 */
#include <mpi.h>
#include <stdio.h>

/* Sum of the world's ranks in the communicator, which is freed. */
static int sum_and_free(MPI_Comm *comm, int rank)
{
    int sum = -1;

    if (*comm == MPI_COMM_NULL)
        return sum;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, *comm);
    MPI_Comm_free(comm);
    return sum;
}

int main(int argc, char **argv)
{
    int rank;
    int sum[2];
    MPI_Group world;
    MPI_Group half;
    MPI_Group first;
    MPI_Comm comm[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, (int[1][3]){{rank % 2, 2 + rank % 2, 2}}, &half);
    MPI_Group_excl(world, 1, (int[]){3}, &first);
    MPI_Comm_create(MPI_COMM_WORLD, half, &comm[0]);
    MPI_Comm_create(MPI_COMM_WORLD, first, &comm[1]);
    MPI_Comm_create(MPI_COMM_WORLD, MPI_GROUP_EMPTY, &comm[2]);
    MPI_Group_free(&world);
    MPI_Group_free(&half);
    MPI_Group_free(&first);
    sum[0] = sum_and_free(&comm[0], rank);
    sum[1] = sum_and_free(&comm[1], rank);
    if (rank == 0)
        printf("even %d, first %d, none %d\n", sum[0], sum[1], comm[2] == MPI_COMM_NULL);
    MPI_Finalize();
    return 0;
}
