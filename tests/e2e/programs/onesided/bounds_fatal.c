/* SPDX-License-Identifier: BSD-3-Clause */
/* The library may end the run because of an access outside of a window: this is one finding, which
 * says how the run ended.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: window-bounds error
 * SAYS: MPI_Put \(.*\) of rank 0 accesses bytes 400-403 of the window of rank 1, which has 16 bytes
 * SAYS: 1 finding \(1 error\)
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Win win;
    int rank, word[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(word, sizeof(word), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 1, 100, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
