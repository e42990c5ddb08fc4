/* SPDX-License-Identifier: BSD-3-Clause */
/* Types without size and counts of zero, in messages and collectives, also in place: they match
 * and synchronise like others.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 0 elements, 0 bytes
 */
#include <mpi.h>
#include <stdio.h>

static void messages(int rank, MPI_Datatype nothing)
{
    MPI_Status status;
    MPI_Request request[2];
    int count;
    int bytes;

    MPI_Irecv(NULL, 5, nothing, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Issend(NULL, 5, nothing, (rank + 1) % 3, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    MPI_Wait(&request[0], &status);
    MPI_Get_count(&status, nothing, &count);
    MPI_Get_elements(&status, MPI_BYTE, &bytes);
    if (rank == 0)
        printf("%d elements, %d bytes\n", count, bytes);
    MPI_Sendrecv(NULL, 0, MPI_INT, (rank + 2) % 3, 2, NULL, 0, MPI_DOUBLE, (rank + 1) % 3, 2,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void collectives(int rank, MPI_Datatype nothing)
{
    int zeros[3] = {0, 0, 0};
    MPI_Request request[2];

    MPI_Bcast(NULL, 3, nothing, 1, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, NULL, 0, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(NULL, 0, MPI_INT, NULL, zeros, zeros, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(MPI_IN_PLACE, zeros, zeros, MPI_INT, NULL, zeros, zeros, MPI_INT, MPI_COMM_WORLD);
    MPI_Gather(NULL, 0, MPI_INT, NULL, 0, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Scatterv(NULL, zeros, zeros, MPI_INT, rank == 0 ? MPI_IN_PLACE : NULL, 0, MPI_INT, 0,
                 MPI_COMM_WORLD);
    MPI_Ibcast(NULL, 0, MPI_INT, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Iallreduce(MPI_IN_PLACE, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Allreduce(MPI_IN_PLACE, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Datatype nothing;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(0, MPI_INT, &nothing);
    MPI_Type_commit(&nothing);
    messages(rank, nothing);
    collectives(rank, nothing);
    MPI_Type_free(&nothing);
    MPI_Finalize();
    return 0;
}
