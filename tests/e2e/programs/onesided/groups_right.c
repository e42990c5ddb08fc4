/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs of MPI_Win_start and MPI_Win_post order accesses, also along a chain of ranks: what rank 2
 * puts to rank 1 is complete before rank 1 passes it on to rank 0. MPI_Win_start may come before
 * the post (MPI-3.1 section 11.5.2).
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 9
 */
#include <mpi.h>
#include <stdio.h>

static int rank, *cell;
static MPI_Win win;

static MPI_Group group_of(int member)
{
    MPI_Group world, group;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &member, &group);
    MPI_Group_free(&world);
    return group;
}

static void expose_to(int origin)
{
    MPI_Group group = group_of(origin);

    MPI_Win_post(group, 0, win);
    MPI_Win_wait(win);
    MPI_Group_free(&group);
}

static void put_to(int target, const int *word)
{
    MPI_Group group = group_of(target);

    MPI_Win_start(group, 0, win);
    MPI_Put(word, 1, MPI_INT, target, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Group_free(&group);
}

int main(int argc, char **argv)
{
    int nine = 9;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    for (int i = 0; i < 5; i++) {
        if (rank == 2)
            put_to(1, &nine);
        if (rank == 1) {
            expose_to(2);
            put_to(0, cell); /* its window is the buffer: no access to it is open */
        }
        if (rank == 0)
            expose_to(1);
    }
    if (rank == 0)
        printf("%d\n", *cell);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
