/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks are in a shared lock epoch of rank 1 while they meet in a barrier.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 3
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int value = 3;
    int got = 0;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&value, sizeof(value), sizeof(value), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, window);
    MPI_Get(&got, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_unlock(1, window);
    if (rank == 0)
        printf("%d\n", got);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
