/* SPDX-License-Identifier: BSD-3-Clause */
/* Receives are cancelled in every state: never matched, wildcard, persistent, already complete. The
 * messages go to the receives behind them.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: cancelled 1 1 1 0, got 5 6 7
 */
#include <mpi.h>
#include <stdio.h>

static int cancel_and_wait(MPI_Request *request)
{
    MPI_Status status;
    int cancelled;

    MPI_Cancel(request);
    MPI_Wait(request, &status);
    MPI_Test_cancelled(&status, &cancelled);
    return cancelled;
}

static void receive(void)
{
    int in[7] = {0};
    int gone[4];
    MPI_Request request[7];

    MPI_Irecv(&in[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&in[1], 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request[1]);
    MPI_Recv_init(&in[2], 1, MPI_INT, 1, MPI_ANY_TAG, MPI_COMM_WORLD, &request[2]);
    MPI_Start(&request[2]);
    MPI_Irecv(&in[3], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[3]);
    MPI_Irecv(&in[4], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[4]);
    for (int i = 0; i < 3; i++)
        gone[i] = cancel_and_wait(&request[i]);
    MPI_Barrier(MPI_COMM_WORLD); /* only now is anything sent */
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Waitall(2, &request[3], MPI_STATUSES_IGNORE);
    MPI_Start(&request[2]);
    MPI_Wait(&request[2], MPI_STATUS_IGNORE);
    MPI_Request_free(&request[2]);
    MPI_Irecv(&in[5], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[5]);
    MPI_Recv(&in[6], 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    gone[3] = cancel_and_wait(&request[5]);
    printf("cancelled %d %d %d %d, got %d %d %d\n", gone[0], gone[1], gone[2], gone[3], in[3],
           in[4], in[2]);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        receive();
    } else {
        MPI_Request request[4];
        int out[4] = {5, 6, 7, 8};

        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 4; i++)
            MPI_Isend(&out[i], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[i]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        MPI_Send(out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
