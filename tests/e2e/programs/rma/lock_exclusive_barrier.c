/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks want the exclusive lock on rank 1's window, and meet in a barrier while they hold it.
 * Rank 1 has it first.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Win_lock HERE
 * CALL: 1 MPI_Barrier HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int cell = 0;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&cell, sizeof(cell), sizeof(cell), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0)
        usleep(50000);                              /* rank 1 is there first */
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window); /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);                    /* HERE */
    MPI_Win_unlock(1, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
