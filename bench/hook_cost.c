/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost of a recorded call: run once plain and once under the interceptor with a leaf (or its
 * stand-in), and subtract. One rank; the messages go to MPI_PROC_NULL, so that little but the call
 * itself is measured. Prints ns a call, the least of several rounds. */
#include <mpi.h>
#include <stdio.h>
#include <time.h>

enum { ROUNDS = 200, CALLS = 4000 };

static double now_ns(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static void send_null(void)
{
    int x = 0;

    MPI_Send(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
}

static void isend_wait(void)
{
    MPI_Request r;
    int x = 0;

    MPI_Isend(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &r);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void iprobe(void)
{
    int flag;

    MPI_Iprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
}

static void self_message(void)
{
    MPI_Request r;
    int x = 0;
    int y = 0;

    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r);
    MPI_Send(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF);
    MPI_Wait(&r, MPI_STATUS_IGNORE);
}

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_SELF);
}

static void measure(const char *name, void (*body)(void), int calls)
{
    double least = 1e30;

    for (int round = 0; round < ROUNDS; round++) {
        struct timespec pause = {.tv_nsec = 2000000}; /* let the ring run empty */
        nanosleep(&pause, NULL);
        double start = now_ns();
        for (int i = 0; i < CALLS / 2; i++)
            body();
        double each = (now_ns() - start) / (CALLS / 2) / calls;
        if (each < least)
            least = each;
    }
    printf("%s %.1f\n", name, least);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    measure("send", send_null, 1);
    measure("isend+wait", isend_wait, 2);
    measure("iprobe", iprobe, 1);
    measure("irecv+send+wait", self_message, 3);
    measure("barrier", barrier, 1);
    MPI_Finalize();
    return 0;
}
