/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks lock the same two targets in opposite orders. Rank 1 does so later, but nothing it
 * heard of rank 0 makes sure of that.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * SAYS: lock-order \(potential\)
 * SAYS: Rank 0 asked for the exclusive lock on rank 1
 * SAYS: Rank 1 asked for the exclusive lock on rank 0
 * SAYS_LINE: SECOND
 * EXIT: 66
 */
#include <mpi.h>
#include <unistd.h>

static void lock_both(int first, int second, int mode, MPI_Win window)
{
    MPI_Win_lock(mode, first, 0, window);
    MPI_Win_lock(mode, second, 0, window); /* SECOND */
    MPI_Win_unlock(second, window);
    MPI_Win_unlock(first, window);
}

int main(int argc, char **argv)
{
    int rank, cell = 0;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&cell, sizeof(cell), sizeof(cell), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 1)
        usleep(300000);
    lock_both(rank, 1 - rank, MPI_LOCK_EXCLUSIVE, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
