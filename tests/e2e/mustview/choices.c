/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 makes choices of each kind, with one possible outcome but for the number of polls. The tag
 * of the first message is the argument. */
#include <mpi.h>
#include <stdlib.h>

static void choose(void)
{
    MPI_Request request[3];
    MPI_Status status;
    int message[3], index[3], count, flag = 0;

    MPI_Recv(message, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    MPI_Irecv(message, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
    MPI_Probe(MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &status);
    MPI_Recv(message, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Irecv(&message[0], 1, MPI_INT, 1, 4, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&message[1], 1, MPI_INT, 1, 5, MPI_COMM_WORLD, &request[1]);
    MPI_Waitany(2, request, &count, MPI_STATUS_IGNORE);
    MPI_Send(message, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
    while (!flag)
        MPI_Test(&request[0], &flag, MPI_STATUS_IGNORE);
    request[0] = request[1] = MPI_REQUEST_NULL;
    MPI_Irecv(&message[2], 1, MPI_INT, 1, 7, MPI_COMM_WORLD, &request[2]);
    do
        MPI_Testsome(3, request, &count, index, MPI_STATUSES_IGNORE);
    while (count == 0);
    MPI_Irecv(message, 1, MPI_INT, 1, 8, MPI_COMM_WORLD, request);
    MPI_Cancel(request);
    MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void send(int tag)
{
    MPI_Send(&tag, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank, message;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        choose();
    } else {
        send(argc > 1 ? atoi(argv[1]) : 1);
        send(2);
        send(3);
        send(5);
        MPI_Recv(&message, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        send(4);
        send(7);
    }
    MPI_Finalize();
    return 0;
}
