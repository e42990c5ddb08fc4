/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses in all epochs that allow them (MPI-3.1 section 11.5): of fences, locks of several
 * targets, lock_all and groups; with requests and flushes under locks; to MPI_PROC_NULL, and to the
 * last byte of the own window.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: done
 */
#include <mpi.h>
#include <stdio.h>

static int one = 1, seen, all[3], before, pair[2];

static void fences(MPI_Win win, int next)
{
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Put(&one, 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Get(&seen, 1, MPI_INT, next, 0, 1, MPI_INT, win);
    MPI_Put(&one, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Put(&one, 1, MPI_INT, MPI_PROC_NULL, 0, 1, MPI_INT, win);
}

static void locks(MPI_Win win, int next)
{
    int third = (next + 1) % 3;
    MPI_Request request;

    MPI_Win_lock(MPI_LOCK_SHARED, next, 0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, third, MPI_MODE_NOCHECK, win);
    MPI_Fetch_and_op(&one, &before, MPI_INT, next, 0, MPI_SUM, win);
    MPI_Accumulate(&one, 1, MPI_INT, third, 1, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush_all(win);
    MPI_Win_unlock(next, win);
    MPI_Get(&seen, 1, MPI_INT, third, 1, 1, MPI_INT, win);
    MPI_Win_flush_local(third, win);
    MPI_Win_unlock(third, win);
    MPI_Win_lock_all(0, win);
    MPI_Rget(&seen, 1, MPI_INT, next, 0, 1, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(next, win);
    MPI_Win_flush_local_all(win);
    MPI_Win_sync(win);
    MPI_Win_unlock_all(win);
}

static void groups(MPI_Win win, int rank)
{
    MPI_Group world, others;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_excl(world, 1, &rank, &others);
    MPI_Win_post(others, 0, win);
    MPI_Win_start(others, 0, win);
    MPI_Group_free(&others);
    MPI_Group_free(&world);
    for (int target = 0; target < 3; target++)
        if (target != rank)
            MPI_Get(&all[target], 1, MPI_INT, target, 0, 1, MPI_INT, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
}

static void own(MPI_Win win, int rank)
{
    MPI_Datatype back;
    int lengths[2] = {1, 1}, places[2] = {0, -1};

    MPI_Type_indexed(2, lengths, places, MPI_INT, &back);
    MPI_Type_commit(&back);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
    MPI_Put(&one, 1, MPI_INT, rank, 1, 1, MPI_INT, win);
    MPI_Put(&one, 0, MPI_INT, rank, 2, 0, MPI_INT, win);
    MPI_Win_flush(rank, win);
    MPI_Get(&pair, 2, MPI_INT, rank, 1, 1, back, win);
    MPI_Win_unlock(rank, win);
    MPI_Type_free(&back);
}

int main(int argc, char **argv)
{
    int rank;
    int *cells;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof(*cells), sizeof(*cells), MPI_INFO_NULL, MPI_COMM_WORLD, &cells,
                     &win);
    cells[0] = cells[1] = 0;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    locks(win, (rank + 1) % 3);
    MPI_Win_fence(0, win);
    groups(win, rank);
    MPI_Win_fence(0, win);
    own(win, rank);
    fences(win, (rank + 1) % 3);
    MPI_Win_free(&win);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
