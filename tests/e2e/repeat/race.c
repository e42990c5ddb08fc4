/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 believes that of two messages that of rank 1 comes first, because rank 2 computes for
 * 30 ms before it sends. This goes well unless rank 1 is late by as much in one of the rounds: then
 * the exit code is 3. Each run is added to the file named by the argument. */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

enum { ROUNDS = 10, WORK_US = 30000 };

static int receive(void)
{
    MPI_Status status;
    int x;

    MPI_Recv(&x, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
    return status.MPI_SOURCE;
}

int main(int argc, char **argv)
{
    int rank, wrong = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank == 2)
            usleep(WORK_US);
        if (rank != 0)
            MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        else
            wrong += receive() != 1;
        if (rank == 0)
            receive();
    }
    MPI_Finalize();
    FILE *runs = rank == 0 && argc > 1 ? fopen(argv[1], "a") : NULL;
    if (runs != NULL) {
        fprintf(runs, "%d\n", wrong);
        fclose(runs);
    }
    return wrong > 0 ? 3 : 0;
}
