/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 writes to rank 1, and when that is complete rank 1 writes to rank 0.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: got 12
 */
#include <mpi.h>
#include <stdio.h>

static MPI_Group group_of(int rank)
{
    MPI_Group world;
    MPI_Group one;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &rank, &one);
    MPI_Group_free(&world);
    return one;
}

static void receive(MPI_Win window, int origin)
{
    MPI_Group group = group_of(origin);

    MPI_Win_post(group, 0, window);
    MPI_Win_wait(window);
    MPI_Group_free(&group);
}

static void send(MPI_Win window, int target, int value)
{
    MPI_Group group = group_of(target);

    MPI_Win_start(group, 0, window);
    MPI_Put(&value, 1, MPI_INT, target, 0, 1, MPI_INT, window);
    MPI_Win_complete(window);
    MPI_Group_free(&group);
}

int main(int argc, char **argv)
{
    int rank;
    int in = 10;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&in, sizeof(in), sizeof(in), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank < 2)
        receive(window, rank + 1);
    if (rank > 0)
        send(window, rank - 1, in + 1);
    if (rank == 0)
        printf("got %d\n", in);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
