/* SPDX-License-Identifier: BSD-3-Clause */
/* Generalized requests, which the program completes itself, beside receives in all completion
 * calls, and looked at with MPI_Request_get_status.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: sum 43, freed 6
 */
#include <mpi.h>
#include <stdio.h>

static int freed;

static int query(void *extra, MPI_Status *status)
{
    MPI_Status_set_elements(status, MPI_INT, *(int *)extra);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = MPI_UNDEFINED;
    status->MPI_TAG = MPI_UNDEFINED;
    return MPI_SUCCESS;
}

static int let_go(void *extra)
{
    (void)extra;
    freed++;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

/* request[0] is a generalized one, request[1] a receive of the same number. */
static void start(int *value, int *in, int tag, MPI_Request *request)
{
    MPI_Grequest_start(query, let_go, cancel, value, &request[0]);
    MPI_Irecv(in, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &request[1]);
}

static int take_all_ways(void)
{
    int value = 1;
    int in = 0;
    int sum = 0;
    int flag;
    int index;
    int done[2];
    MPI_Request request[2];
    MPI_Status status;

    start(&value, &in, 1, request);
    MPI_Request_get_status(request[0], &flag, &status);
    sum += flag;
    MPI_Grequest_complete(request[0]);
    MPI_Request_get_status(request[0], &flag, &status);
    MPI_Wait(&request[0], &status);
    MPI_Wait(&request[1], &status);
    sum += flag * in;

    start(&value, &in, 2, request);
    MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);
    sum += index * in;
    MPI_Grequest_complete(request[0]);
    MPI_Waitany(2, request, &index, MPI_STATUS_IGNORE);

    start(&value, &in, 3, request);
    MPI_Grequest_complete(request[0]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    sum += in;

    start(&value, &in, 4, request);
    MPI_Grequest_complete(request[0]);
    for (int left = 2; left > 0; left -= index)
        MPI_Waitsome(2, request, &index, done, MPI_STATUSES_IGNORE);
    sum += in;

    start(&value, &in, 5, request);
    MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
    sum += flag;
    MPI_Grequest_complete(request[0]);
    while (!flag)
        MPI_Testall(2, request, &flag, MPI_STATUSES_IGNORE);
    sum += in;

    start(&value, &in, 6, request);
    MPI_Grequest_complete(request[0]);
    MPI_Request_free(&request[0]);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    return sum + 4 * in;
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        int sum = take_all_ways();

        printf("sum %d, freed %d\n", sum, freed);
    } else {
        for (int tag = 1; tag <= 6; tag++)
            MPI_Ssend(&(int){tag == 6 ? 7 : tag}, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
