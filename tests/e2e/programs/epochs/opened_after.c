/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs after or beside each other, as MPI-3.1 section 11.5 allows: fences without accesses before
 * a lock, a start, and the end; locks of several targets; an exposure epoch beside an access epoch
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: done
 */
#include <mpi.h>
#include <stdio.h>

static void groups(MPI_Win win, int rank)
{
    MPI_Group world, others;
    int flag = 0;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_excl(world, 1, &rank, &others);
    MPI_Win_post(others, 0, win);
    MPI_Win_start(others, 0, win);
    MPI_Group_free(&others);
    MPI_Win_complete(win);
    while (!flag)
        MPI_Win_test(win, &flag);
    MPI_Win_start(MPI_GROUP_EMPTY, 0, win);
    MPI_Win_complete(win);
    MPI_Win_post(MPI_GROUP_EMPTY, 0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, (rank + 1) % 3, 0, win);
    MPI_Win_unlock((rank + 1) % 3, win);
    MPI_Win_wait(win);
    MPI_Group_free(&world);
}

static void locks(MPI_Win win, int next)
{
    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, (next + 1) % 3, MPI_MODE_NOCHECK, win);
    MPI_Win_unlock(next, win);
    MPI_Win_unlock((next + 1) % 3, win);
    MPI_Win_lock_all(0, win);
    MPI_Win_unlock_all(win);
}

int main(int argc, char **argv)
{
    int rank;
    int *cell;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Win_fence(0, win);
    locks(win, (rank + 1) % 3);
    MPI_Win_fence(0, win);
    groups(win, rank);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
