/* SPDX-License-Identifier: BSD-3-Clause */
/* Cost of a call: run once plain and once under the tool, and subtract. One rank, messages to
 * itself or to nobody, so that little but the call itself is measured. Prints ns a call, the least
 * of several rounds. */
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

static void recv_null(void)
{
    int x = 0;

    MPI_Recv(&x, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void waitall(void)
{
    MPI_Request r[2];
    int x = 0;
    int y = 0;

    MPI_Irecv(&y, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[0]);
    MPI_Isend(&x, 1, MPI_INT, 0, 0, MPI_COMM_SELF, &r[1]);
    MPI_Waitall(2, r, MPI_STATUSES_IGNORE);
}

static void barrier(void)
{
    MPI_Barrier(MPI_COMM_SELF);
}

static void allreduce(void)
{
    int x = 1;
    int y = 0;

    MPI_Allreduce(&x, &y, 1, MPI_INT, MPI_SUM, MPI_COMM_SELF);
}

/* Polls that find nothing: no message is there, nothing is complete. */
static void iprobe(void)
{
    int flag;

    MPI_Iprobe(0, 1, MPI_COMM_SELF, &flag, MPI_STATUS_IGNORE);
}

static MPI_Request pending;

static void test(void)
{
    int flag;

    MPI_Test(&pending, &flag, MPI_STATUS_IGNORE);
}

/* Let the ring run empty. RATIONALE: the message, for a rank that does nothing but poll for a
 * second is suspected to hang. */
static void rest(void)
{
    struct timespec pause = {.tv_nsec = 2000000};

    send_null();
    nanosleep(&pause, NULL);
}

static void measure(const char *name, void (*body)(void), int calls)
{
    double least = 1e30;

    for (int round = 0; round < ROUNDS; round++) {
        rest();
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
    int x = 0;

    MPI_Init(&argc, &argv);
    measure("send", send_null, 1);
    measure("recv", recv_null, 1);
    measure("isend+irecv+waitall", waitall, 3);
    measure("barrier", barrier, 1);
    measure("allreduce", allreduce, 1);
    measure("iprobe", iprobe, 1);
    MPI_Irecv(&x, 1, MPI_INT, 0, 2, MPI_COMM_SELF, &pending);
    measure("test", test, 1);
    MPI_Cancel(&pending);
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
