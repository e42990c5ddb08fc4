/* SPDX-License-Identifier: BSD-3-Clause */
/* What calls that wait return: two ranks print it. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { LARGE = 1 << 18 };

static int rank;
static int handled;
static int *large;

static void handler(MPI_Comm *comm, int *code, ...)
{
    (void)comm;
    (void)code;
    handled++;
}

static void show(const char *what, int result, MPI_Status *status)
{
    int class = 0;
    int count = -7;
    int cancelled = 0;

    MPI_Error_class(result, &class);
    printf("%d %s: class %d, handled %d", rank, what, class, handled);
    if (status != MPI_STATUS_IGNORE) {
        MPI_Get_count(status, MPI_INT, &count);
        MPI_Test_cancelled(status, &cancelled);
        printf(", source %d, tag %d, error %d, count %d, cancelled %d", status->MPI_SOURCE,
               status->MPI_TAG, status->MPI_ERROR, count, cancelled);
    }
    printf("\n");
    handled = 0;
}

static MPI_Status *fresh(MPI_Status *status, int n)
{
    for (int i = 0; i < n; i++)
        status[i] = (MPI_Status){.MPI_SOURCE = 71, .MPI_TAG = 72, .MPI_ERROR = 73};
    return status;
}

static void show_all(const char *what, int result, MPI_Status *status, MPI_Request *request, int n)
{
    show(what, result, MPI_STATUS_IGNORE);
    for (int i = 0; i < n; i++) {
        printf("%d   null %d\n", rank, request[i] == MPI_REQUEST_NULL);
        if (status != MPI_STATUSES_IGNORE)
            show("  element", MPI_SUCCESS, &status[i]);
    }
}

static void send_messages(int peer)
{
    int x[3] = {1, 2, 3};

    usleep(30000); /* so that the other one waits */
    show("send", MPI_Send(x, 1, MPI_INT, peer, 1, MPI_COMM_WORLD), MPI_STATUS_IGNORE);
    show("ssend", MPI_Ssend(x, 2, MPI_INT, peer, 2, MPI_COMM_WORLD), MPI_STATUS_IGNORE);
    show("large", MPI_Send(large, LARGE, MPI_INT, peer, 3, MPI_COMM_WORLD), MPI_STATUS_IGNORE);
    show("too long", MPI_Send(x, 3, MPI_INT, peer, 4, MPI_COMM_WORLD), MPI_STATUS_IGNORE);
    show("to nobody", MPI_Send(x, 3, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD), MPI_STATUS_IGNORE);
    show("bad rank", MPI_Send(x, 3, MPI_INT, 99, 4, MPI_COMM_WORLD), MPI_STATUS_IGNORE);
    show("bad count", MPI_Ssend(x, -1, MPI_INT, peer, 4, MPI_COMM_WORLD), MPI_STATUS_IGNORE);
    usleep(30000);
    MPI_Send(x, 2, MPI_INT, peer, 5, MPI_COMM_WORLD);
    usleep(30000);
    MPI_Send(x, 3, MPI_INT, peer, 6, MPI_COMM_WORLD);
}

static void receive_messages(int peer)
{
    MPI_Message message;
    MPI_Status s;
    int x[3] = {0, 0, 0};

    fresh(&s, 1);
    show("any", MPI_Recv(x, 3, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &s), &s);
    fresh(&s, 1);
    show("recv", MPI_Recv(x, 2, MPI_INT, peer, 2, MPI_COMM_WORLD, &s), &s);
    show("large", MPI_Recv(large, LARGE, MPI_INT, peer, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE),
         MPI_STATUS_IGNORE);
    fresh(&s, 1);
    show("truncated", MPI_Recv(x, 1, MPI_INT, peer, 4, MPI_COMM_WORLD, &s), MPI_STATUS_IGNORE);
    printf("%d source %d, tag %d\n", rank, s.MPI_SOURCE, s.MPI_TAG);
    fresh(&s, 1);
    show("nobody", MPI_Recv(x, 3, MPI_INT, MPI_PROC_NULL, 4, MPI_COMM_WORLD, &s), &s);
    show("bad rank", MPI_Recv(x, 3, MPI_INT, 99, 4, MPI_COMM_WORLD, &s), MPI_STATUS_IGNORE);
    show("bad tag", MPI_Probe(peer, -9, MPI_COMM_WORLD, &s), MPI_STATUS_IGNORE);
    fresh(&s, 1);
    show("probe", MPI_Probe(MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &s), &s);
    MPI_Recv(x, 3, MPI_INT, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fresh(&s, 1);
    show("mprobe", MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &message, &s), &s);
    MPI_Mrecv(x, 3, MPI_INT, &message, MPI_STATUS_IGNORE);
    fresh(&s, 1);
    show("nobody", MPI_Mprobe(MPI_PROC_NULL, 5, MPI_COMM_WORLD, &message, &s), &s);
    printf("%d no proc %d, x %d %d %d\n", rank, message == MPI_MESSAGE_NO_PROC, x[0], x[1], x[2]);
}

static void exchange(int peer)
{
    MPI_Status s;
    int out[2] = {rank, rank};
    int in[2] = {-1, -1};

    usleep((useconds_t)rank * 30000);
    fresh(&s, 1);
    show("sendrecv",
         MPI_Sendrecv(out, 2, MPI_INT, peer, 1, in, 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG,
                      MPI_COMM_WORLD, &s),
         &s);
    fresh(&s, 1);
    show("self",
         MPI_Sendrecv(out, 1, MPI_INT, rank, 8, in, 2, MPI_INT, rank, 8, MPI_COMM_WORLD, &s), &s);
    fresh(&s, 1);
    show("half",
         MPI_Sendrecv(out, 1, MPI_INT, MPI_PROC_NULL, 8, in, 2, MPI_INT, MPI_PROC_NULL, 8,
                      MPI_COMM_WORLD, &s),
         &s);
    show("bad destination",
         MPI_Sendrecv(out, 1, MPI_INT, 99, 8, in, 2, MPI_INT, peer, 9, MPI_COMM_WORLD, &s),
         MPI_STATUS_IGNORE);
    show("bad source",
         MPI_Sendrecv(out, 1, MPI_INT, peer, 8, in, 2, MPI_INT, 99, 9, MPI_COMM_WORLD, &s),
         MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    show("truncated",
         MPI_Sendrecv(out, 2, MPI_INT, peer, 1, in, 1, MPI_INT, peer, 1, MPI_COMM_WORLD, &s),
         MPI_STATUS_IGNORE);
}

static int queried;

static int query(void *extra, MPI_Status *status)
{
    (void)extra;
    queried++;
    MPI_Status_set_elements(status, MPI_INT, 1);
    MPI_Status_set_cancelled(status, 0);
    status->MPI_SOURCE = 5;
    status->MPI_TAG = 6;
    return MPI_SUCCESS;
}

static int nothing(void *extra)
{
    (void)extra;
    return MPI_SUCCESS;
}

static int no_cancel(void *extra, int complete)
{
    (void)extra;
    (void)complete;
    return MPI_SUCCESS;
}

/* The other rank sends its next messages when this one says that it is about to wait for them. */
static void say_ready(int peer)
{
    int process = (int)getpid();

    MPI_Send(&process, 1, MPI_INT, peer, 90, MPI_COMM_WORLD);
}

static int await_ready(int peer)
{
    int process;

    MPI_Recv(&process, 1, MPI_INT, peer, 90, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return process;
}

/* How often a process has slept, and its processor time. */
static void look_at(int process, long *sleeps, long *cpu_ms)
{
    char line[256];
    clockid_t clock;
    struct timespec t = {0};

    snprintf(line, sizeof(line), "/proc/%d/status", process);
    FILE *file = fopen(line, "r");
    *sleeps = 0;
    while (file != NULL && fgets(line, sizeof(line), file) != NULL)
        sscanf(line, "voluntary_ctxt_switches: %ld", sleeps);
    if (file != NULL)
        fclose(file);
    if (clock_getcpuclockid(process, &clock) == 0)
        clock_gettime(clock, &t);
    *cpu_ms = (long)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

/* Until that process has gone on for a while, however busy the machine is: it waits in MPI, and
 * polls in a loop, or sleeps between its polls. */
static void let_it_wait(int process)
{
    enum { SLEEPS = 100, CPU_MS = 30, TRIES = 10000 };
    long sleeps, cpu_ms, sleeps_now, cpu_now;

    look_at(process, &sleeps, &cpu_ms);
    for (int i = 0; i < TRIES; i++) {
        usleep(1000);
        look_at(process, &sleeps_now, &cpu_now);
        if (sleeps_now - sleeps >= SLEEPS || cpu_now - cpu_ms >= CPU_MS)
            return;
    }
}

static void wait_for_requests(int peer)
{
    MPI_Request request[4] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL,
                              MPI_REQUEST_NULL};
    MPI_Request twice;
    MPI_Status s[4];
    int x[4][2] = {{0}};
    int n = -1;
    int index[4] = {-1, -1, -1, -1};

    show("null", MPI_Wait(&request[0], fresh(s, 1)), s);
    show_all("nulls", MPI_Waitall(4, request, fresh(s, 4)), s, request, 4);
    show("any null", MPI_Waitany(4, request, &n, fresh(s, 1)), s);
    printf("%d index %d\n", rank, n);
    show("some null", MPI_Waitsome(4, request, &n, index, fresh(s, 1)), MPI_STATUS_IGNORE);
    printf("%d count %d\n", rank, n);
    show("none", MPI_Waitany(0, request, &n, fresh(s, 1)), s);
    MPI_Recv_init(x[0], 2, MPI_INT, MPI_ANY_SOURCE, 11, MPI_COMM_WORLD, &request[0]);
    show("inactive", MPI_Wait(&request[0], fresh(s, 1)), s);
    show("any inactive", MPI_Waitany(2, request, &n, fresh(s, 1)), s);
    printf("%d index %d\n", rank, n);
    for (int i = 1; i < 4; i++)
        MPI_Irecv(x[i], 2, MPI_INT, i == 2 ? MPI_ANY_SOURCE : peer, 11 + i, MPI_COMM_WORLD,
                  &request[i]);
    say_ready(peer);
    show("any", MPI_Waitany(4, request, &n, fresh(s, 1)), s);
    printf("%d index %d\n", rank, n);
    MPI_Start(&request[0]);
    MPI_Recv(&n, 1, MPI_INT, peer, 20, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    say_ready(peer);
    show_all("some", MPI_Waitsome(4, request, &n, index, fresh(s, 4)), s, request, 4);
    printf("%d count %d, index %d\n", rank, n, index[0]);
    say_ready(peer);
    show("persistent", MPI_Wait(&request[0], fresh(s, 1)), s);
    show_all("all", MPI_Waitall(4, request, fresh(s, 4)), s, request, 4);
    MPI_Request_free(&request[0]);

    MPI_Irecv(x[0], 1, MPI_INT, peer, 30, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(x[1], 2, MPI_INT, MPI_ANY_SOURCE, 31, MPI_COMM_WORLD, &request[1]);
    say_ready(peer);
    show_all("truncated", MPI_Waitall(2, request, fresh(s, 2)), s, request, 2);
    say_ready(peer);
    show("late", MPI_Wait(&request[1], fresh(s, 1)), s);
    MPI_Irecv(x[0], 1, MPI_INT, peer, 32, MPI_COMM_WORLD, &request[0]);
    say_ready(peer);
    show("truncated", MPI_Wait(&request[0], s), MPI_STATUS_IGNORE);
    MPI_Irecv(x[0], 1, MPI_INT, peer, 33, MPI_COMM_WORLD, &request[0]);
    say_ready(peer);
    show("truncated any", MPI_Waitany(1, request, &n, s), MPI_STATUS_IGNORE);
    MPI_Irecv(x[0], 1, MPI_INT, peer, 34, MPI_COMM_WORLD, &request[0]);
    say_ready(peer);
    show_all("truncated some", MPI_Waitsome(1, request, &n, index, fresh(s, 1)), s, request, 1);
    MPI_Irecv(x[0], 1, MPI_INT, MPI_ANY_SOURCE, 36, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(x[1], 1, MPI_INT, peer, 37, MPI_COMM_WORLD, &request[1]);
    say_ready(peer);
    show_all("one by one", MPI_Waitall(2, request, fresh(s, 2)), s, request, 2);
    MPI_Irecv(x[0], 1, MPI_INT, MPI_ANY_SOURCE, 35, MPI_COMM_WORLD, &request[0]);
    MPI_Cancel(&request[0]);
    show("cancelled", MPI_Wait(&request[0], fresh(s, 1)), MPI_STATUS_IGNORE);
    MPI_Test_cancelled(s, &n);
    printf("%d cancelled %d\n", rank, n);
    MPI_Grequest_start(query, nothing, no_cancel, NULL, &request[0]);
    twice = request[0];
    MPI_Grequest_complete(twice);
    show("generalized", MPI_Wait(&request[0], fresh(s, 1)), s);
    printf("%d queried %d\n", rank, queried);
}

static void serve_requests(int peer)
{
    int x[2] = {4, 5};

    await_ready(peer);
    MPI_Send(x, 1, MPI_INT, peer, 13, MPI_COMM_WORLD);
    MPI_Send(x, 1, MPI_INT, peer, 20, MPI_COMM_WORLD);
    await_ready(peer);
    MPI_Send(x, 1, MPI_INT, peer, 12, MPI_COMM_WORLD);
    await_ready(peer);
    MPI_Send(x, 1, MPI_INT, peer, 14, MPI_COMM_WORLD);
    MPI_Send(x, 2, MPI_INT, peer, 11, MPI_COMM_WORLD);
    for (int tag = 30; tag <= 34; tag++) {
        await_ready(peer);
        MPI_Send(x, 2, MPI_INT, peer, tag, MPI_COMM_WORLD);
    }
    int process = await_ready(peer);
    MPI_Send(x, 1, MPI_INT, peer, 36, MPI_COMM_WORLD);
    let_it_wait(process);
    MPI_Send(x, 1, MPI_INT, peer, 37, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    MPI_Errhandler errhandler;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_create_errhandler(handler, &errhandler);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, errhandler);
    large = calloc(LARGE, sizeof(*large));
    if (rank == 0)
        send_messages(1);
    else
        receive_messages(0);
    MPI_Barrier(MPI_COMM_WORLD);
    exchange(1 - rank);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        serve_requests(1);
    else
        wait_for_requests(0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
