/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 posts a receive from anybody and computes; what rank 0 does after its message to it can
 * only be followed once that match is known. With little memory it is assumed, rightly.
 *
 * RANKS: 3
 * OPTIONS: --must:queue-limit 1 --must:fold off
 * EXPECT: clean
 * SAYS: memory ran short
 */
#include "run_ahead.h"

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    connect_all(rank);
    if (rank == 1) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
        wait_for_exchange();
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        if (rank == 0)
            MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        run_ahead(rank, 0);
    }
    MPI_Finalize();
    return 0;
}
