/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 11.7: two ranks put a column and a row of a matrix in one epoch. They have one
 * element in common.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: rank 0 put some of bytes 12-239 of the window of rank 2 \(.*\) while rank 1 put bytes 64-95 of it
 * SAYS: 1 finding
 * EXIT: 66
 */
#include <mpi.h>

enum { SIDE = 8 };

int main(int argc, char **argv)
{
    int rank, word[SIDE] = {0};
    int *memory;
    MPI_Datatype column;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(SIDE, 1, SIDE, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Win_allocate(SIDE * SIDE * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(word, SIDE, MPI_INT, 2, 3, 1, column, win);
    if (rank == 1)
        MPI_Put(word, SIDE, MPI_INT, 2, 2 * SIDE, SIDE, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
