/* SPDX-License-Identifier: BSD-3-Clause */
/* The master never looks at a status: who asks for work says so in the message, and is answered.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 435
 */
#include <mpi.h>
#include <stdio.h>

enum { TASKS = 30, NONE = -1 };

static void give_work(int workers)
{
    int sum = 0;
    int in[2]; /* rank, result */

    for (int i = 0; i < TASKS + workers; i++) {
        int task = i < TASKS ? i : NONE;
        MPI_Recv(in, 2, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += in[1];
        MPI_Send(&task, 1, MPI_INT, in[0], 0, MPI_COMM_WORLD);
    }
    printf("%d\n", sum);
}

static void work(int rank)
{
    int out[2] = {rank, 0};

    while (out[1] != NONE) {
        MPI_Send(out, 2, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&out[1], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
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
        work(rank);
    MPI_Finalize();
    return 0;
}
