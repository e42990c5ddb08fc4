/* SPDX-License-Identifier: BSD-3-Clause */
/* Locks between fences that start no epoch: with the assertions of MPI-3.1 section 11.5.5, without
 * accesses, or after the last fence.
 *
 * RANKS: 1
 * EXPECT: clean
 */
#include <mpi.h>

static int word = 1;
static MPI_Win win;

static void locked_put(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
}

static void get_of_all(void)
{
    MPI_Win_lock_all(0, win);
    MPI_Get(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
}

int main(int argc, char **argv)
{
    int *cell;

    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_SELF, &cell, &win);
    locked_put();
    MPI_Win_fence(0, win);
    MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    locked_put();
    get_of_all();
    MPI_Win_fence(0, win);
    locked_put();
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    MPI_Win_lock_all(0, win); /* no access */
    MPI_Win_flush(0, win);
    MPI_Win_unlock_all(win);
    MPI_Win_fence(0, win);
    get_of_all(); /* and no fence follows */
    locked_put();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
