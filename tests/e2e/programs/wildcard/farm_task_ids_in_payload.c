/* SPDX-License-Identifier: BSD-3-Clause */
/* A result names its task, and the master remembers whom it gave that to: there it sends the next
 * one.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 600
 */
#include <mpi.h>
#include <stdio.h>

enum { TASKS = 25, NONE = -1 };

static void give(int *owner, int task, int worker)
{
    int out = task < TASKS ? task : NONE;

    if (task < TASKS)
        owner[task] = worker;
    MPI_Send(&out, 1, MPI_INT, worker, 0, MPI_COMM_WORLD);
}

static void give_work(int workers)
{
    int owner[TASKS];
    int sum = 0, given = 0;
    int in[2]; /* task, result */

    for (; given < workers; given++)
        give(owner, given, given + 1);
    for (int done = 0; done < TASKS; done++) {
        MPI_Recv(in, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += in[1];
        give(owner, given++, owner[in[0]]);
    }
    printf("%d\n", sum);
}

static void work(void)
{
    int out[2] = {0, 0};

    for (;;) {
        MPI_Recv(&out[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (out[0] == NONE)
            break;
        out[1] = 2 * out[0];
        MPI_Send(out, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
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
