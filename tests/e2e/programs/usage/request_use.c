/* SPDX-License-Identifier: BSD-3-Clause */
/* What looks wrong and is right: a send is freed while it is active (MPI-3.1 section 3.7.3); a
 * receive is freed after MPI_Cancel (3.8.4), or when MPI_Request_get_status has said that it is
 * complete; inactive requests are waited for (3.7.3); persistent requests are started again after
 * each kind of completing call (3.9); a handle is used again for another request.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

enum { ROUNDS = 6 };

static int in[2], out[2];

static void free_requests(int other)
{
    MPI_Request request;
    int flag = 0;

    MPI_Isend(&out[0], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
    MPI_Request_free(&request);
    MPI_Irecv(&in[0], 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
    while (!flag)
        MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
    MPI_Request_free(&request);
    MPI_Irecv(&in[1], 1, MPI_INT, other, 2, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Request_free(&request);
}

static void complete(int round, MPI_Request *request)
{
    int index, count, indices[2], flag = 0;

    switch (round) {
    case 0:
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        break;
    case 1:
        MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
        MPI_Wait(&request[1 - index], MPI_STATUS_IGNORE);
        break;
    case 2:
        for (int done = 0; done < 2; done += count)
            MPI_Waitsome(2, request, &count, indices, MPI_STATUSES_IGNORE);
        break;
    case 3:
        while (!flag)
            MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
        break;
    case 4:
        for (int i = 0; i < 2; i++) {
            for (flag = 0; !flag;)
                MPI_Test(&request[i], &flag, MPI_STATUS_IGNORE);
        }
        break;
    default:
        for (int done = 0; done < 2; done += count)
            MPI_Testsome(2, request, &count, indices, MPI_STATUSES_IGNORE);
    }
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* inactive */
    MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
}

static void start_again(int other)
{
    MPI_Request request[2], unused;

    MPI_Recv_init(&in[0], 1, MPI_INT, other, 3, MPI_COMM_WORLD, &request[0]);
    MPI_Send_init(&out[0], 1, MPI_INT, other, 3, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* not started yet */
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Startall(2, request);
        complete(round, request);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    MPI_Recv_init(&in[0], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &unused);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&unused);
        MPI_Wait(&unused, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&unused);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    free_requests(1 - rank);
    start_again(1 - rank);
    for (int i = 0; i < 3; i++) {
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE); /* MPI_REQUEST_NULL */
    }
    MPI_Finalize();
    return 0;
}
