/* SPDX-License-Identifier: BSD-3-Clause */
#include <mpi.h>
/* Two ranks: the answer has the wrong tag. */
static void exchange(int rank, int *value)
{
    if (rank == 0) {
        MPI_Ssend(value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        MPI_Recv(value, 1, MPI_INT, 1, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(value, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(value, 1, MPI_INT, 0, 8, MPI_COMM_WORLD);
    }
}
int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange(rank, &value);
    MPI_Finalize();
    return 0;
}
