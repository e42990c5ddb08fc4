/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks exchange a number, in a way that the argument names. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    const char *how = argc > 1 ? argv[1] : "good";
    int rank, mine, other = -1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    mine = rank;
    if (strcmp(how, "deadlock") == 0) {
        MPI_Recv(&other, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&mine, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    } else {
        MPI_Sendrecv(&mine, 1, MPI_INT, 1 - rank, 0, &other, 1, MPI_INT, 1 - rank, 0,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (strcmp(how, "crash") == 0 && rank == 1)
        abort();
    if (strcmp(how, "wrong") == 0)
        other = rank;
    MPI_Finalize();
    return other == 1 - rank ? 0 : 3;
}
