/* SPDX-License-Identifier: BSD-3-Clause */
/* Opposite orders, but the synchronous send of one returns when the other is through.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

static void lock_both(int first, int second, MPI_Win window)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, first, 0, window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, second, 0, window);
    MPI_Win_unlock(second, window);
    MPI_Win_unlock(first, window);
}

int main(int argc, char **argv)
{
    int rank, cell = 0, word = 1;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&cell, sizeof(cell), sizeof(cell), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        lock_both(0, 1, window);
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Ssend(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        lock_both(1, 0, window);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
