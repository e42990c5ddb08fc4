/* SPDX-License-Identifier: BSD-3-Clause */
/* ranks crash RANK: this rank writes where nothing is.
 * ranks sleep SECONDS: all sleep between two barriers.
 * ranks wait: rank 0 sleeps, rank 1 polls for its message, the others wait for theirs.
 * ranks spawn HOST COUNT: COUNT children on HOST and their parents wait for each other's messages.
 * ranks sum [deadlock]: an MPI_Allreduce every 20 ms until the test says stop; then the last rank
 * waits for a message of rank 0, perhaps. */
#include "../e2e/programs/stop.h"

#include <mpi.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static void say_begun(int rank)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        puts("begun");
        fflush(stdout);
    }
}

static void crash(int rank, int victim)
{
    volatile int *volatile nothing = NULL;

    if (rank == victim)
        *nothing = rank; /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);
}

__attribute__((noinline)) static unsigned int nap(void)
{
    return sleep(1000);
}

static void wait_for_rank_0(int rank, int size)
{
    MPI_Request request;
    int value = 0, has_come = 0;

    for (int other = 1; rank == 0 && other < size; other++) {
        if (other == 1)
            nap();
        MPI_Send(&value, 1, MPI_INT, other, 5, MPI_COMM_WORLD);
    }
    if (rank == 1) {
        MPI_Irecv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, &request);
        while (!has_come)
            MPI_Test(&request, &has_come, MPI_STATUS_IGNORE);
    } else if (rank > 1) {
        MPI_Recv(&value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

/* Rank 0 of each side wants to hear of rank 0 of the other one first. */
static void wait_for_each_other(MPI_Comm other)
{
    int value;

    MPI_Recv(&value, 1, MPI_INT, 0, 7, other, MPI_STATUS_IGNORE);
}

static void spawn(char *program, const char *host, int count)
{
    MPI_Comm children;
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "host", host);
    MPI_Comm_spawn(program, MPI_ARGV_NULL, count, info, 0, MPI_COMM_WORLD, &children,
                   MPI_ERRCODES_IGNORE);
    MPI_Info_free(&info);
    wait_for_each_other(children);
}

static void sum(int rank, int size, int is_deadlock)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    int mine[2] = {rank, 0};
    int all[2] = {0, 0};

    stop_init();
    while (all[1] == 0) {
        mine[1] = rank == 0 && stop_has_come();
        MPI_Allreduce(mine, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        nanosleep(&pause, NULL);
    }
    if (is_deadlock && rank == size - 1)
        MPI_Recv(mine, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", all[0]);
}

int main(int argc, char **argv)
{
    MPI_Comm parent;
    int rank;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Comm_get_parent(&parent);
    if (parent != MPI_COMM_NULL) {
        wait_for_each_other(parent);
    } else if (argc == 3 && strcmp(argv[1], "crash") == 0) {
        say_begun(rank);
        crash(rank, atoi(argv[2]));
    } else if (argc == 3 && strcmp(argv[1], "sleep") == 0) {
        say_begun(rank);
        sleep((unsigned int)atoi(argv[2]));
        MPI_Barrier(MPI_COMM_WORLD);
    } else if (argc == 2 && strcmp(argv[1], "wait") == 0) {
        say_begun(rank);
        wait_for_rank_0(rank, size);
    } else if (argc == 4 && strcmp(argv[1], "spawn") == 0) {
        spawn(argv[0], argv[2], atoi(argv[3]));
    } else if (argc >= 2 && strcmp(argv[1], "sum") == 0) {
        say_begun(rank);
        sum(rank, size, argc == 3);
    }
    MPI_Finalize();
    return 0;
}
