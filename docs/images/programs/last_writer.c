/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 1 and 2 write the same number in a window of rank 0: the rank that gets the lock last wins.
 *
 * RANKS: 3
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, *winner;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &winner, &window);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank > 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("rank %d wrote last\n", *winner);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
