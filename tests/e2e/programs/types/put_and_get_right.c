/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 11.3: the datatypes of the two buffers of a one-sided call may differ, if their
 * basic types are the same. A buffer may be larger than the data. With MPI_NO_OP the origin buffer
 * is ignored, and so is everything if the target is MPI_PROC_NULL.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * SAYS: no findings
 * EXIT: 0
 */
#include <mpi.h>
#include <stddef.h>

static MPI_Win win;

static void move(MPI_Datatype column, MPI_Datatype row)
{
    int word[16] = {0}, result[4] = {0};
    MPI_Request request;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
    MPI_Put(word, 1, column, 1, 0, 1, row, win);
    MPI_Win_flush(1, win);
    MPI_Put(word, 4, MPI_INT, 1, 0, 1, column, win);
    MPI_Win_flush(1, win);
    MPI_Rget(word, 2, column, 1, 0, 4, MPI_INT, win, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Accumulate(word, 1, column, 1, 0, 4, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(1, win);
    MPI_Get_accumulate(NULL, 9, MPI_FLOAT, result, 4, MPI_INT, 1, 0, 1, column, MPI_NO_OP, win);
    MPI_Put(word, 7, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_FLOAT, win);
    MPI_Put(word, 0, MPI_FLOAT, 1, 0, 0, MPI_INT, win);
    MPI_Win_unlock(1, win);
}

int main(int argc, char **argv)
{
    int rank;
    int *memory;
    MPI_Datatype column, row;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(4, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_contiguous(4, MPI_INT, &row);
    MPI_Type_commit(&row);
    MPI_Win_allocate(32 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    if (rank == 0)
        move(column, row);
    MPI_Win_free(&win);
    MPI_Type_free(&row);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
