/* SPDX-License-Identifier: BSD-3-Clause */
/* Workers ask for work and are answered at the source that the status names: a task, or at last
 * that there is none.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 780
 */
#include <mpi.h>
#include <stdio.h>

enum { TASKS = 40, WORK = 1, STOP = 2 };

static void give_work(int workers)
{
    MPI_Status status;
    int task = 0, sum = 0, result;

    while (workers > 0) {
        MPI_Recv(&result, 1, MPI_INT, MPI_ANY_SOURCE, WORK, MPI_COMM_WORLD, &status);
        sum += result;
        if (task == TASKS)
            workers--;
        MPI_Send(&task, 1, MPI_INT, status.MPI_SOURCE, task == TASKS ? STOP : WORK, MPI_COMM_WORLD);
        task += task < TASKS;
    }
    printf("%d\n", sum);
}

static void work(void)
{
    MPI_Status status = {.MPI_TAG = WORK};
    int task = 0;

    while (status.MPI_TAG == WORK) {
        MPI_Send(&task, 1, MPI_INT, 0, WORK, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    }
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        give_work(size - 1);
    else
        work();
    MPI_Finalize();
    return 0;
}
