/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.7.2: buffers whose bounds meet are right if they have no byte in common: the
 * columns of a matrix, and a datatype with absolute addresses. The datatype of a pending operation
 * may be freed (section 4.1.9). In MPI_Allgather, columns with a smaller extent are interleaved.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

enum { SIDE = 4 };
static int matrix[SIDE][SIDE], other[SIDE][SIDE];

static MPI_Datatype make_column(void)
{
    MPI_Datatype column;

    MPI_Type_vector(SIDE, 1, SIDE, MPI_INT, &column);
    MPI_Type_commit(&column);
    return column;
}

static void exchange_columns(int peer)
{
    MPI_Request request[3];
    MPI_Datatype column = make_column(), there;
    MPI_Aint at;
    const int one = 1;
    MPI_Datatype whole = MPI_INT;

    MPI_Get_address(&matrix[1][2], &at);
    MPI_Type_create_struct(1, &one, &at, &whole, &there);
    MPI_Type_commit(&there);
    MPI_Irecv(&matrix[0][0], 1, column, peer, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&matrix[0][1], 1, column, peer, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(&matrix[0][3], 1, column, peer, 1, MPI_COMM_WORLD, &request[2]);
    MPI_Type_free(&column);
    MPI_Sendrecv(&matrix[0][3], 1, MPI_INT, peer, 3, MPI_BOTTOM, 1, there, peer, 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    MPI_Send(&other[0][0], SIDE, MPI_INT, peer, 2, MPI_COMM_WORLD);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    MPI_Type_free(&there);
}

static void gather_columns(void)
{
    MPI_Datatype column = make_column(), narrow;

    MPI_Type_create_resized(column, 0, sizeof(int), &narrow);
    MPI_Type_commit(&narrow);
    MPI_Allgather(&other[0][0], SIDE, MPI_INT, matrix, 1, narrow, MPI_COMM_WORLD);
    MPI_Type_free(&narrow);
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange_columns(1 - rank);
    gather_columns();
    MPI_Finalize();
    return 0;
}
