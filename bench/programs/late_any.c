/* SPDX-License-Identifier: BSD-3-Clause */
/* A wildcard receive for which two messages are there, and which is waited for only after very many
 * further messages (Hilbrich et al., SC'12, figure 8). late_any [millions of messages] */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    MPI_Request request = MPI_REQUEST_NULL;
    long messages = (argc > 1 ? strtol(argv[1], NULL, 10) : 10) * 1000000 / 3;
    int rank, value = 0, in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
    else if (rank < 3)
        MPI_Isend(&value, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    for (long i = 0; rank < 3 && i < messages; i++)
        MPI_Sendrecv(&value, 1, MPI_INT, (rank + 1) % 3, 1, &in, 1, MPI_INT, (rank + 2) % 3, 1,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
