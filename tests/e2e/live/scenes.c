/* SPDX-License-Identifier: BSD-3-Clause */
/* What a run may look like from outside while it lasts: scenes SCENE [SECONDS]. Each ends well, but
 * `accept`. A nap and a computation end sooner when the test says so (stop.h). */
#include "../programs/stop.h"

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TAG = 3 };

static int rank, size;
static double seconds;

static double now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void take_a_nap(void)
{
    double end = now() + seconds;

    while (now() < end && !stop_has_come())
        usleep(50000);
}

__attribute__((noinline)) static double compute(void)
{
    double end = now() + seconds;
    double sum = 0;

    while (now() < end && !stop_has_come())
        for (int i = 1; i < 100000; i++)
            sum += 1.0 / i;
    return sum;
}

/* Rank 1 sends to all others, which wait for it. */
static void meet(void)
{
    int token = 0;

    if (rank != 1) {
        MPI_Recv(&token, 1, MPI_INT, 1, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        return;
    }
    for (int r = 0; r < size; r++)
        if (r != 1)
            MPI_Send(&token, 1, MPI_INT, r, TAG, MPI_COMM_WORLD);
}

static void poll_for_it(void)
{
    int found = 0;

    while (rank != 1 && !found)
        MPI_Iprobe(1, TAG, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
}

/* Works between polls: it gets on, although nothing but polls is seen of it. */
static void poll_and_compute(void)
{
    double end = now() + seconds;
    int found = 0;
    double sum = 0;

    while (now() < end) {
        for (int i = 1; i < 100000; i++)
            sum += 1.0 / i;
        MPI_Iprobe(1, TAG + 1, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    }
    if (sum < 0)
        puts("never");
}

static void wait_for_another_job(void)
{
    char port[MPI_MAX_PORT_NAME];
    MPI_Comm other;

    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Comm_accept(port, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other);
}

static void call_often(void)
{
    double end = now() + seconds;
    int go = 1;

    while (go) {
        MPI_Barrier(MPI_COMM_WORLD);
        go = now() < end;
        MPI_Bcast(&go, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
}

/* Goes well only if the library buffers. */
__attribute__((noinline)) static void swap_here(void)
{
    int out = rank, in;

    if (rank > 1)
        return;
    MPI_Send(&out, 1, MPI_INT, 1 - rank, TAG, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

__attribute__((noinline)) static void swap_there(void)
{
    int out = rank, in;

    if (rank > 1)
        return;
    MPI_Send(&out, 1, MPI_INT, 1 - rank, TAG, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void play(const char *scene)
{
    if (strcmp(scene, "nap") == 0 && rank == 1)
        take_a_nap();
    if (strcmp(scene, "compute") == 0 && rank == 1 && compute() < 0)
        puts("never");
    if (strcmp(scene, "compute-all") == 0 && compute() < 0)
        puts("never");
    if (strcmp(scene, "poll") == 0 && rank == 1)
        take_a_nap();
    if (strcmp(scene, "poll") == 0)
        poll_for_it();
    if (strcmp(scene, "poll-and-compute") == 0)
        poll_and_compute();
    if (strcmp(scene, "accept") == 0)
        wait_for_another_job();
    if (strcmp(scene, "often") == 0)
        call_often();
    if (strncmp(scene, "swap", 4) == 0)
        swap_here();
    if (strcmp(scene, "swap-twice") == 0)
        swap_there();
    if (strncmp(scene, "swap", 4) != 0)
        meet();
}

int main(int argc, char **argv)
{
    stop_init();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    seconds = argc > 2 ? atof(argv[2]) : 0;
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        puts("begun");
        fflush(stdout);
    }
    play(argc > 1 ? argv[1] : "");
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        puts("ended");
    MPI_Finalize();
    return 0;
}
