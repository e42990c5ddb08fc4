/* SPDX-License-Identifier: BSD-3-Clause */
/* As race.c, but rank 0 names the source of each message, so the exit code is 0 in every order. */
#include <mpi.h>
#include <stdio.h>

enum { ROUNDS = 20 };

int main(int argc, char **argv)
{
    int rank, x;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        if (rank != 0)
            MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        for (int source = 1; rank == 0 && source <= 2; source++)
            MPI_Recv(&x, 1, MPI_INT, source, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    FILE *runs = rank == 0 && argc > 1 ? fopen(argv[1], "a") : NULL;
    if (runs != NULL) {
        fprintf(runs, "0\n");
        fclose(runs);
    }
    return 0;
}
