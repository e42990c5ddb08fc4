/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes whose extent is shorter than their data, and that are right to receive (MPI-3.1 section
 * 4.1.11): the columns of a matrix, one of which follows the other after one element; one element
 * whose next one would overlap; and elements that overlap, but are only sent, or are none.
 *
 * RANKS: 2
 * EXPECT: clean
 * EXIT: 0
 */
#include <mpi.h>

enum { ROWS = 5, COLUMNS = 4 };

int main(int argc, char **argv)
{
    int matrix[ROWS][COLUMNS] = {0}, other[ROWS * COLUMNS], memory[ROWS * COLUMNS];
    int rank;
    MPI_Datatype column, next, two, tight;
    MPI_Request request;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(ROWS, 1, COLUMNS, MPI_INT, &column);
    MPI_Type_create_resized(column, 0, sizeof(int), &next);
    MPI_Type_contiguous(2, MPI_INT, &two);
    MPI_Type_create_resized(two, 0, sizeof(int), &tight);
    MPI_Type_commit(&next);
    MPI_Type_commit(&tight);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);

    MPI_Irecv(matrix, COLUMNS, next, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(other, ROWS * COLUMNS, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(other, 1, tight, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(matrix, 1, tight, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Irecv(other, 6, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Send(matrix, 3, tight, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Recv(other, 3, tight, MPI_PROC_NULL, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);

    MPI_Win_fence(0, win);
    MPI_Put(matrix, 2, tight, 1 - rank, 0, 4, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Get(other, 4, MPI_INT, 1 - rank, 0, 2, tight, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Type_free(&column);
    MPI_Type_free(&next);
    MPI_Type_free(&two);
    MPI_Type_free(&tight);
    MPI_Finalize();
    return 0;
}
