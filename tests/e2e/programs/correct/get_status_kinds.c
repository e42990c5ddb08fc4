/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Request_get_status of null, inactive, persistent and complete requests, of collectives and
 * wildcard receives: it never takes anything away.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: null 1, inactive 1, source 1, twice 1, got 7
 */
#include <mpi.h>
#include <stdio.h>

static int poll(MPI_Request request, MPI_Status *status)
{
    int flag = 0;

    while (!flag)
        MPI_Request_get_status(request, &flag, status);
    return flag;
}

static void look(void)
{
    int in = 0;
    int again = 0;
    int flag[2];
    MPI_Request wild;
    MPI_Request persistent;
    MPI_Request barrier;
    MPI_Status status[2];

    MPI_Request_get_status(MPI_REQUEST_NULL, &flag[0], MPI_STATUS_IGNORE);
    MPI_Recv_init(&again, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &persistent);
    MPI_Request_get_status(persistent, &flag[1], MPI_STATUS_IGNORE);
    MPI_Irecv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &wild);
    poll(wild, &status[0]);
    poll(wild, &status[1]);
    MPI_Start(&persistent);
    poll(persistent, MPI_STATUS_IGNORE);
    MPI_Wait(&persistent, MPI_STATUS_IGNORE);
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    poll(barrier, MPI_STATUS_IGNORE);
    MPI_Wait(&wild, MPI_STATUS_IGNORE);
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    MPI_Request_free(&persistent);
    printf("null %d, inactive %d, source %d, twice %d, got %d\n", flag[0], flag[1],
           status[0].MPI_SOURCE, status[1].MPI_SOURCE == status[0].MPI_SOURCE, in + again);
}

int main(int argc, char **argv)
{
    int rank;
    int out[2] = {3, 4};
    MPI_Request request[3];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        look();
    } else {
        MPI_Issend(&out[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Issend(&out[1], 1, MPI_INT, 0, 1, MPI_COMM_WORLD, &request[1]);
        MPI_Ibarrier(MPI_COMM_WORLD, &request[2]);
        MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
