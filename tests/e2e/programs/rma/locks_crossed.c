/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank holds the lock of one window that the other one asks for.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Win_lock HERE
 * CALL: 1 MPI_Win_lock HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int cell[2] = {0, 0};
    MPI_Win window[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++)
        MPI_Win_create(&cell[i], sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD,
                       &window[i]);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window[rank]);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window[1 - rank]); /* HERE */
    MPI_Win_unlock(0, window[1 - rank]);
    MPI_Win_unlock(0, window[rank]);
    MPI_Win_free(&window[0]);
    MPI_Win_free(&window[1]);
    MPI_Finalize();
    return 0;
}
