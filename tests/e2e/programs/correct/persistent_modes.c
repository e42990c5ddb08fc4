/* SPDX-License-Identifier: BSD-3-Clause */
/* Persistent requests of all send modes with wildcard receives, started alone and together,
 * completed by every kind of call, and freed while inactive.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: sum 100
 */
#include <mpi.h>
#include <stdio.h>

enum { MODES = 4, ROUNDS = 10 };

static int word[MODES];

static void create_sends(MPI_Request *request)
{
    MPI_Send_init(&word[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Ssend_init(&word[1], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Bsend_init(&word[2], 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request[2]);
    MPI_Rsend_init(&word[3], 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request[3]);
}

static void create_receives(MPI_Request *request)
{
    MPI_Recv_init(&word[0], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(&word[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Recv_init(&word[2], 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, &request[2]);
    MPI_Recv_init(&word[3], 1, MPI_INT, 0, 3, MPI_COMM_WORLD, &request[3]);
}

static void complete(int round, MPI_Request *request)
{
    int done = 0;
    int index;
    int indices[MODES];

    switch (round % 4) {
    case 0:
        MPI_Waitall(MODES, request, MPI_STATUSES_IGNORE);
        break;
    case 1:
        for (int i = 0; i < MODES; i++)
            MPI_Waitany(MODES, request, &index, MPI_STATUS_IGNORE);
        break;
    case 2:
        for (int left = MODES; left > 0; left -= done)
            MPI_Waitsome(MODES, request, &done, indices, MPI_STATUSES_IGNORE);
        break;
    default:
        while (!done)
            MPI_Testall(MODES, request, &done, MPI_STATUSES_IGNORE);
    }
}

int main(int argc, char **argv)
{
    int rank;
    int sum = 0;
    int size;
    char space[ROUNDS * (sizeof(int) + MPI_BSEND_OVERHEAD)];
    void *buffer = space;
    MPI_Request request[MODES];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(buffer, (int)sizeof(space));
    if (rank == 0)
        create_sends(request);
    else
        create_receives(request);
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < MODES; i++)
            word[i] = rank == 0 ? i + 1 : 0;
        if (rank == 1)
            MPI_Startall(MODES, request);
        MPI_Barrier(MPI_COMM_WORLD); /* the receive of the ready send is posted */
        for (int i = 0; i < MODES && rank == 0; i++)
            MPI_Start(&request[i]);
        complete(round, request);
        for (int i = 0; i < MODES; i++)
            sum += word[i];
        MPI_Barrier(MPI_COMM_WORLD);
    }
    for (int i = 0; i < MODES; i++)
        MPI_Request_free(&request[i]);
    MPI_Buffer_detach(&buffer, &size);
    if (rank == 1)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
