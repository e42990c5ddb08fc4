/* SPDX-License-Identifier: BSD-3-Clause */
/* The master keeps a stack of idle workers, at least two of them, and gives work to the one that
 * came last. Who it is stands in the message.
 *
 * RANKS: 5
 * EXPECT: clean
 * OUTPUT: 30
 */
#include <mpi.h>
#include <stdio.h>

enum { TASKS = 30, KEEP = 2, SIZE = 5, NONE = -1 };

static int give_work(void)
{
    int idle[SIZE];
    int count = 0, task = 0, none = NONE;

    while (task < TASKS || count < SIZE - 1) {
        MPI_Recv(&idle[count++], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        while (task < TASKS && count > KEEP) {
            MPI_Send(&task, 1, MPI_INT, idle[--count], 0, MPI_COMM_WORLD);
            task++;
        }
    }
    while (count > 0)
        MPI_Send(&none, 1, MPI_INT, idle[--count], 0, MPI_COMM_WORLD);
    return task;
}

int main(int argc, char **argv)
{
    int rank, task = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        printf("%d\n", give_work());
    while (rank > 0 && task != NONE) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&task, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
