/* SPDX-License-Identifier: BSD-3-Clause */
/* As memory_runs_short.c, but ranks 0 and 2 send to each other first, and the library buffers that.
 * The tool finds it when memory is short, while it does not know yet what rank 1 received.
 *
 * RANKS: 3
 * OPTIONS: --must:queue-limit 1 --must:fold off
 * EXPECT: deadlock
 * CLASS: interleaving
 * DEADLOCKED: 0 2
 * ROOTS: {0,2}
 * CALL: 0 MPI_Send
 * CALL: 2 MPI_Send
 * SAYS: Memory ran short before the tool knew which messages these receives took\.
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
        run_ahead(rank, 1);
    }
    MPI_Finalize();
    return 0;
}
