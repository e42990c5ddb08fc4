/* SPDX-License-Identifier: BSD-3-Clause */
/* A datatype whose last byte is not aligned has an extent that is rounded up (MPI-3.1 section
 * 4.1.6). Libraries do this in different ways for datatypes of such datatypes; the bytes are the
 * same. Rank 0 receives into the last byte of one (section 3.7.2), and then into gaps.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Irecv \(rounded.c:\d+\) of rank 0 writes byte 77 of a buffer that the pending MPI_Irecv
 * SAYS: 1 finding
 * SAYS_LINE: LAST
 * EXIT: 66
 */
#include <mpi.h>

static char bytes[200];

static void receive(MPI_Datatype twice)
{
    MPI_Request request[4];

    MPI_Irecv(bytes, 1, twice, 1, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(bytes + 77, 2, MPI_BYTE, 1, 1, MPI_COMM_WORLD, &request[1]); /* LAST */
    MPI_Irecv(bytes + 6, 27, MPI_BYTE, 1, 2, MPI_COMM_WORLD, &request[2]);
    MPI_Irecv(bytes + 45, 27, MPI_BYTE, 1, 3, MPI_COMM_WORLD, &request[3]);
    MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
}

static void send(MPI_Datatype twice)
{
    MPI_Send(bytes, 1, twice, 0, 0, MPI_COMM_WORLD);
    MPI_Send(bytes, 2, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
    MPI_Send(bytes, 27, MPI_BYTE, 0, 2, MPI_COMM_WORLD);
    MPI_Send(bytes, 27, MPI_BYTE, 0, 3, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Datatype blocks, twice;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_create_hvector(2, 3, 33, MPI_SHORT, &blocks);
    MPI_Type_create_hvector(2, 1, 39, blocks, &twice); /* bytes 0-5, 33-44, 72-77 */
    MPI_Type_commit(&twice);
    MPI_Type_free(&blocks);
    if (rank == 0)
        receive(twice);
    else
        send(twice);
    MPI_Type_free(&twice);
    MPI_Finalize();
    return 0;
}
