/* SPDX-License-Identifier: BSD-3-Clause */
/* A second thread completes the generalized request for which the first one waits, alone and beside
 * a receive.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: got 3
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    MPI_Status_set_elements(status, MPI_INT, 0);
    MPI_Status_set_cancelled(status, 0);
    return MPI_SUCCESS;
}

static int let_go(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int cancel(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

static void *complete_late(void *request)
{
    usleep(100000);
    MPI_Grequest_complete(*(MPI_Request *)request);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    int rank;
    int in = 0;
    int out = 3;
    pthread_t thread;
    MPI_Request request[3];
    MPI_Request handle;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2; i++) {
        MPI_Grequest_start(query, let_go, cancel, NULL, &request[0]);
        handle = request[0];
        pthread_create(&thread, NULL, complete_late, &handle);
        MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);
        if (i == 0)
            MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[2]);
        MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
        pthread_join(thread, NULL);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    if (rank == 0)
        printf("got %d\n", in);
    MPI_Finalize();
    return 0;
}
