/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that polls, and needs 8 us between two polls, which is longer than a loop that only polls.
 * "yield": it calls sched_yield(), and another process has its processor then; "sleep": it sleeps
 * that long. */
#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { POLLS = 200, YIELDS = 4, NEEDS_NS = 8000, SLEEP_US = 500 };

static void stay_on_one_processor(void)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(sched_getcpu(), &one);
    sched_setaffinity(0, sizeof(one), &one);
}

static long long now(void)
{
    struct timespec t;

    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1000000000LL + t.tv_nsec;
}

int main(int argc, char **argv)
{
    int yields, found;

    MPI_Init(&argc, &argv);
    yields = strcmp(argv[1], "yield") == 0;
    stay_on_one_processor();
    pid_t other = fork();
    if (other == 0)
        for (;;)
            ;
    if (!yields)
        kill(other, SIGSTOP);
    for (int i = 0; i < POLLS; i++) {
        MPI_Iprobe(0, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        for (int k = 0; yields && k < YIELDS; k++)
            sched_yield(); /* the kernel does not let the other process run each time */
        if (!yields)
            usleep(SLEEP_US);
        for (long long begin = now(); now() - begin < NEEDS_NS;)
            ;
    }
    kill(other, SIGKILL);
    MPI_Finalize();
    return 0;
}
