/* SPDX-License-Identifier: BSD-3-Clause */
/* Opposite orders, but a barrier lies between them.
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
    if (rank == 0)
        lock_both(0, 1, MPI_LOCK_EXCLUSIVE, window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        lock_both(1, 0, MPI_LOCK_EXCLUSIVE, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
