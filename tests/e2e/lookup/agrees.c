/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls the function of own.c. */
#include <mpi.h>
#include <stdio.h>

int MPIX_Comm_agree(MPI_Comm comm, int *flag);

int main(int argc, char **argv)
{
    int rank, flag;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    flag = 4 + rank;
    MPIX_Comm_agree(MPI_COMM_WORLD, &flag);
    printf("agreed on %d\n", flag);
    MPI_Finalize();
    return 0;
}
