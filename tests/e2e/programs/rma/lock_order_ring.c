/* SPDX-License-Identifier: BSD-3-Clause */
/* The philosophers: each of five ranks locks its own target and then its neighbour's, one after the
 * other only because of their pauses.
 *
 * RANKS: 5
 * EXPECT: no-deadlock
 * SAYS: lock-order \(potential\)
 * SAYS: Rank 4 asked for the exclusive lock on rank 0
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
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(&cell, sizeof(cell), sizeof(cell), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    usleep(100000 * (unsigned)rank);
    lock_both(rank, (rank + 1) % size, MPI_LOCK_EXCLUSIVE, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
