/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 11.7: the ranks put different columns of a matrix in one epoch, and one of them
 * gets a third one. Their bounds meet, but no byte is in two of them. The datatype is freed before
 * the epoch ends.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>

enum { SIDE = 8 };

int main(int argc, char **argv)
{
    int rank, word[SIDE] = {0}, other[SIDE];
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
    MPI_Put(word, SIDE, MPI_INT, 2, rank, 1, column, win);
    if (rank == 0)
        MPI_Get(other, SIDE, MPI_INT, 2, SIDE - 1, 1, column, win);
    MPI_Type_free(&column);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
