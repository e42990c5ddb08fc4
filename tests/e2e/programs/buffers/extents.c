/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 3.7.2 and 4.1: the program takes two elements of a vector for two columns that
 * lie side by side. They are an extent apart, so the second one begins where another receive
 * writes. A finding names the extent where there are several elements.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Irecv \(extents.c:\d+\) of rank 0 writes bytes 20 to 23 of a buffer that the pending MPI_Irecv \(extents.c:\d+\) writes
 * SAYS: The 2 elements of the pending MPI_Irecv have an extent of 20 bytes\.
 * SAYS: MPI_Sendrecv \(extents.c:\d+\) of rank 0 sends bytes 20 to 23 of its receive buffer
 * SAYS: The 2 elements of the receive buffer have an extent of 20 bytes\.
 * SAYS: MPI_Irecv \(extents.c:\d+\) of rank 0 writes bytes 0 to 3 of a buffer
 * NEVER_SAYS: The 1 element
 * NEVER_SAYS: The 3 elements
 * SAYS: 3 findings
 */
#include <mpi.h>

static int in[16], other[4] = {1, 2, 3, 4};

static void receive(int count, MPI_Datatype type, int *second, int length)
{
    MPI_Request request[2];

    MPI_Irecv(in, count, type, 0, 0, MPI_COMM_SELF, &request[0]);
    MPI_Irecv(second, length, MPI_INT, 0, 1, MPI_COMM_SELF, &request[1]);
    MPI_Send(other, 2 * count, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Send(other, length, MPI_INT, 0, 1, MPI_COMM_SELF);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Request request[2];
    MPI_Datatype column;

    MPI_Init(&argc, &argv);
    MPI_Type_vector(2, 1, 4, MPI_INT, &column);
    MPI_Type_commit(&column);
    receive(2, column, &in[5], 1);
    MPI_Sendrecv(&in[5], 1, MPI_INT, 0, 2, in, 2, column, 0, 2, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    receive(1, column, &in[1], 3); /* the rest of the row: right */
    MPI_Irecv(in, 1, column, 0, 3, MPI_COMM_SELF, &request[0]);
    MPI_Irecv(in, 3, MPI_INT, 0, 4, MPI_COMM_SELF, &request[1]); /* elements without gaps */
    MPI_Send(other, 2, MPI_INT, 0, 3, MPI_COMM_SELF);
    MPI_Send(other, 3, MPI_INT, 0, 4, MPI_COMM_SELF);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Type_free(&column);
    MPI_Finalize();
    return 0;
}
