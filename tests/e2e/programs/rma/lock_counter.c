/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks count up one number at rank 0 under an exclusive lock.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: count 200
 */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 50 };

int main(int argc, char **argv)
{
    int rank;
    int count = 0;
    int mine = 0;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&count, sizeof(count), sizeof(count), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
        MPI_Get(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush(0, window);
        mine++;
        MPI_Put(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_unlock(0, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Get(&mine, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    if (rank == 0)
        printf("count %d\n", mine);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
