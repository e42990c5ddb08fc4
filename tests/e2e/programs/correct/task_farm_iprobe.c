/* SPDX-License-Identifier: BSD-3-Clause */
/* A task farm whose master polls for a result of anybody.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 20540
 */
#include <mpi.h>
#include <stdio.h>

enum { TASK, RESULT, STOP, TASKS = 40 };

static void work(void)
{
    int task;
    MPI_Status status;

    for (;;) {
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
        if (status.MPI_TAG == STOP)
            return;
        task = task * task;
        MPI_Send(&task, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
    }
}

static void farm(int workers)
{
    int next = 0;
    int sum = 0;
    int result;
    MPI_Status status;

    for (int w = 1; w <= workers; w++, next++)
        MPI_Send(&next, 1, MPI_INT, w, TASK, MPI_COMM_WORLD);
    for (int done = 0; done < TASKS; done++) {
        int flag = 0;

        while (!flag)
            MPI_Iprobe(MPI_ANY_SOURCE, RESULT, MPI_COMM_WORLD, &flag, &status);
        MPI_Recv(&result, 1, MPI_INT, status.MPI_SOURCE, RESULT, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += result;
        int tag = next < TASKS ? TASK : STOP;
        MPI_Send(&next, 1, MPI_INT, status.MPI_SOURCE, tag, MPI_COMM_WORLD);
        next++;
    }
    printf("%d\n", sum);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        farm(3);
    else
        work();
    MPI_Finalize();
    return 0;
}
