/* SPDX-License-Identifier: BSD-3-Clause */
/* A number goes once around all ranks, which agree on their sum and print it. With an argument, all
 * receive first. Built with each MPI library; as a plugin without main(), too. */
#include <mpi.h>
#include <stdio.h>

int go_round(int argc, char **argv);

int go_round(int argc, char **argv)
{
    int rank, size, got = -1, sum = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (argc > 1)
        MPI_Recv(&got, 1, MPI_INT, (rank + 1) % size, 0, MPI_COMM_WORLD, &status);
    MPI_Sendrecv(&rank, 1, MPI_INT, (rank + 1) % size, 0, &got, 1, MPI_INT, MPI_ANY_SOURCE, 0,
                 MPI_COMM_WORLD, &status);
    MPI_Allreduce(&got, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    printf("rank %d of %d: sum %d\n", rank, size, sum);
    MPI_Finalize();
    return 0;
}

#ifndef PLUGIN
int main(int argc, char **argv)
{
    return go_round(argc, argv);
}
#endif
