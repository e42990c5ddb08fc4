/* SPDX-License-Identifier: BSD-3-Clause */
/* Shared locks in opposite orders do not exclude each other.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

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
    lock_both(rank, 1 - rank, MPI_LOCK_SHARED, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
