/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks put to the same bytes in one epoch: the last calls show the epoch of each.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * LAST: 0: MPI_Win_fence OPEN; MPI_Put FIRST; MPI_Win_fence CLOSE; MPI_Win_free; MPI_Finalize
 * LAST: 1: MPI_Win_fence OPEN; MPI_Put SECOND; MPI_Win_fence CLOSE; MPI_Win_free; MPI_Finalize
 * LAST: 2: MPI_Win_fence OPEN; MPI_Win_fence CLOSE; MPI_Win_free; MPI_Finalize
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word[8] = {0}, *cell;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(word), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Win_fence(0, win); /* OPEN */
    if (rank == 0)
        MPI_Put(word, 4, MPI_INT, 2, 0, 4, MPI_INT, win); /* FIRST */
    if (rank == 1)
        MPI_Put(word, 4, MPI_INT, 2, 3, 4, MPI_INT, win); /* SECOND */
    MPI_Win_fence(0, win);                                /* CLOSE */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
