/* SPDX-License-Identifier: BSD-3-Clause */
/* steps COUNT [kill RANK... | deadlock | calls | choices | until]: an MPI_Allreduce every 20 ms.
 * Half way, these ranks kill themselves, or the last rank waits for a message of rank 0, or all
 * make rounds of more calls than their rings hold, until they are told to stop, or rank 0 receives
 * a message of each of the others in any order. until: after COUNT of them, there are more until
 * the program is told to stop. */
#include <mpi.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../programs/stop.h"

/* No sequence of these calls comes again soon. */
static void make_calls(int *tag)
{
    int nothing = 0;

    for (int i = 0; i < 20000; i++) {
        *tag = (*tag * 5 + 12345) & 0x7fff;
        MPI_Send(&nothing, 1, MPI_INT, MPI_PROC_NULL, *tag, MPI_COMM_WORLD);
    }
}

/* Of all ranks at once. */
static int is_to_stop(int rank)
{
    int has_come = rank == 0 && stop_has_come();

    MPI_Bcast(&has_come, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return has_come;
}

static void make_rounds(int rank)
{
    int has_come = 0;
    int tag = 0;

    for (int round = 1; !has_come; round++) {
        make_calls(&tag);
        has_come = is_to_stop(rank);
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 0) {
            printf("round %d\n", round);
            fflush(stdout);
        }
    }
}

static void wait_for_nothing(int rank, int size)
{
    int value;

    if (rank == size - 1)
        MPI_Recv(&value, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
}

static void receive_in_any_order(int rank, int size)
{
    int value;

    if (rank != 0)
        MPI_Send(&rank, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    for (int i = 1; rank == 0 && i < size; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const struct timespec pause = {.tv_nsec = 20000000};
    int steps = argc > 1 ? atoi(argv[1]) : 10;
    int rank;
    int size;
    int sum = 0;
    int until = argc > 2 && strcmp(argv[2], "until") == 0;

    stop_init();
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < steps || (until && !is_to_stop(rank)); i++) {
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        if (i == 0 && rank == 0) {
            puts("begun");
            fflush(stdout);
        }
        nanosleep(&pause, NULL);
        if (i != steps / 2 || argc < 3)
            continue;
        if (strcmp(argv[2], "deadlock") == 0)
            wait_for_nothing(rank, size);
        if (strcmp(argv[2], "calls") == 0)
            make_rounds(rank);
        if (strcmp(argv[2], "choices") == 0)
            receive_in_any_order(rank, size);
        for (int k = 3; k < argc; k++) {
            if (atoi(argv[k]) == rank)
                kill(getpid(), SIGKILL);
        }
    }
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
