/* SPDX-License-Identifier: BSD-3-Clause */
/* As memory_runs_short.c, but both other ranks have sent to rank 1, and which message it has is
 * told only after one was assumed. Whatever was assumed, nothing is wrong with the program.
 *
 * RANKS: 3
 * OPTIONS: --must:queue-limit 1
 * EXPECT: clean
 * SAYS: memory ran short
 */
#include "run_ahead.h"

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Request request;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    connect_all(rank);
    if (rank == 1) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
        wait_for_exchange();
        MPI_Wait(&request, &status);
        MPI_Recv(&value, 1, MPI_INT, 2 - status.MPI_SOURCE, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        usleep(rank == 0 ? 300000 : 0);
        MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        run_ahead(rank, 0);
    }
    MPI_Finalize();
    return 0;
}
