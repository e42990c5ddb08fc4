/* SPDX-License-Identifier: BSD-3-Clause */
/* What a choice costs: one rank that sends to itself, so that a message is there when the call
 * needs it. Prints nanoseconds, the minimum of many rounds. */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 1000, CALLS = 500 };

static int sent, received;

static void send_one(void)
{
    MPI_Send(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
}

static void recv_any(void)
{
    MPI_Request request;

    MPI_Isend(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Recv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void irecv_any(void)
{
    MPI_Request request;

    MPI_Irecv(&received, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &request);
    send_one();
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The first of two calls is in vain. */
static void test_twice(void)
{
    MPI_Request request;
    int done = 0;

    MPI_Irecv(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    send_one();
    while (!done)
        MPI_Test(&request, &done, MPI_STATUS_IGNORE);
}

/* As a loop that polls for one of several receives; all calls are successful. */
static void testsome(void)
{
    MPI_Request request[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    int index[2], n = 0;

    MPI_Irecv(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request[1]);
    send_one();
    while (n == 0)
        MPI_Testsome(2, request, &n, index, MPI_STATUSES_IGNORE);
}

static void iprobe(void)
{
    MPI_Request request;
    int there = 0;

    MPI_Isend(&sent, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &request);
    while (!there)
        MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_SELF, &there, MPI_STATUS_IGNORE);
    MPI_Recv(&received, 1, MPI_INT, 0, 0, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void measure(const char *name, void (*body)(void))
{
    double least = 1e9;

    for (int round = 0; round < ROUNDS; round++) {
        double begin = MPI_Wtime();
        for (int i = 0; i < CALLS; i++)
            body();
        double seconds = MPI_Wtime() - begin;
        if (seconds < least)
            least = seconds;
    }
    printf("%s %.1f\n", name, least / CALLS * 1e9);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    measure("recv", recv_any);
    measure("irecv+wait", irecv_any);
    measure("test", test_twice);
    measure("testsome", testsome);
    measure("iprobe", iprobe);
    MPI_Finalize();
    return 0;
}
