/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank exposes its window to the left neighbour and writes to the right one; in odd rounds it
 * looks by MPI_Win_test whether the left neighbour is through.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: right 200
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 50 };

static MPI_Group group_of(int rank)
{
    MPI_Group world;
    MPI_Group one;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 1, &rank, &one);
    MPI_Group_free(&world);
    return one;
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    int in = -1;
    int right = 0;
    int all = 0;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(&in, sizeof(in), sizeof(in), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    int next = (rank + 1) % size;
    MPI_Group target = group_of(next);
    MPI_Group origin = group_of((rank + size - 1) % size);

    for (int i = 0; i < ROUNDS; i++) {
        int flag = 0;
        MPI_Win_post(origin, 0, window);
        MPI_Win_start(target, 0, window);
        MPI_Put(&i, 1, MPI_INT, next, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
        while (i % 2 == 1 && !flag)
            MPI_Win_test(window, &flag);
        if (i % 2 == 0)
            MPI_Win_wait(window);
        right += in == i;
    }
    MPI_Win_free(&window);
    MPI_Group_free(&target);
    MPI_Group_free(&origin);
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("right %d\n", all);
    MPI_Finalize();
    return 0;
}
