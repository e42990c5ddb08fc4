/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.7.2: two pending receives must not write the same bytes, and those that a
 * pending send reads must not be written. A column of a matrix meets a row in one element.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Irecv \(derived.c:\d+\) of rank 1 writes bytes 64 to 67 of a buffer that the pending MPI_Irecv \(derived.c:\d+\) writes
 * SAYS: MPI_Recv \(derived.c:\d+\) of rank 0 writes bytes 32 to 35 of a buffer that the pending MPI_Isend \(derived.c:\d+\) reads
 * SAYS: MPI_Sendrecv \(derived.c:\d+\) of rank 0 sends bytes 224 to 227 of its receive buffer
 * SAYS: 3 findings
 * EXIT: 66
 */
#include <mpi.h>

enum { SIDE = 8 };
static int matrix[SIDE][SIDE];

static void receive_both(MPI_Datatype column)
{
    MPI_Request request[2];

    MPI_Irecv(&matrix[0][3], 1, column, 0, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&matrix[2][0], SIDE, MPI_INT, 0, 2, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Ssend(&matrix[0][0], 2, MPI_INT, 0, 4, MPI_COMM_WORLD);
    MPI_Recv(&matrix[0][0], 1, column, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void send_both(MPI_Datatype column)
{
    MPI_Request request;

    MPI_Send(&matrix[0][1], 1, column, 1, 1, MPI_COMM_WORLD);
    MPI_Send(&matrix[2][0], SIDE, MPI_INT, 1, 2, MPI_COMM_WORLD);
    MPI_Isend(&matrix[0][5], 1, column, 1, 3, MPI_COMM_WORLD, &request);
    MPI_Recv(&matrix[1][4], 2, MPI_INT, 1, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Sendrecv(&matrix[7][7], 1, MPI_INT, 0, 5, &matrix[0][7], 1, column, 0, 5, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(SIDE, 1, SIDE, MPI_INT, &column);
    MPI_Type_commit(&column);
    if (rank == 0)
        send_both(column);
    else
        receive_both(column);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
