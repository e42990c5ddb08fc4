/* SPDX-License-Identifier: BSD-3-Clause */
/* Absolute addresses with MPI_BOTTOM: in messages, persistent requests, a broadcast and a
 * reduction in place.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 5 2.5 12 2.5
 */
#include <mpi.h>
#include <stdio.h>

static int number;
static double weight;

static MPI_Datatype create_absolute(void)
{
    int lengths[2] = {1, 1};
    MPI_Aint places[2];
    MPI_Datatype types[2] = {MPI_INT, MPI_DOUBLE};
    MPI_Datatype absolute;

    MPI_Get_address(&number, &places[0]);
    MPI_Get_address(&weight, &places[1]);
    MPI_Type_create_struct(2, lengths, places, types, &absolute);
    MPI_Type_commit(&absolute);
    return absolute;
}

static void send_by_request(int rank, MPI_Datatype absolute)
{
    MPI_Request request;

    if (rank == 0)
        MPI_Send_init(MPI_BOTTOM, 1, absolute, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Recv_init(MPI_BOTTOM, 1, absolute, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD,
                      &request);
    for (int i = 0; i < 3; i++) {
        if (rank == 0)
            number = 10 + i;
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Datatype absolute;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    absolute = create_absolute();
    if (rank == 0) {
        number = 5;
        weight = 2.5;
    }
    MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, MPI_COMM_WORLD);
    if (rank == 1)
        printf("%d %.1f ", number, weight);
    send_by_request(rank, absolute);
    if (rank == 1)
        printf("%d %.1f\n", number, weight);
    MPI_Type_free(&absolute);
    MPI_Finalize();
    return 0;
}
