/* SPDX-License-Identifier: BSD-3-Clause */
/* As truncation_fatal.c: with --must:poll, the library completes the receive in MPI_Test, but the
 * program has called MPI_Recv.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * OPTIONS: --must:poll
 * FINDING: truncation error
 * SAYS: MPI_Recv at truncation_polled.c:\d+ of rank 1 failed with MPI_ERR_TRUNCATE: message truncated
 * NEVER_SAYS: MPI_Test
 * SAYS: 1 finding
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int pair[2] = {1, 2};

    if (rank == 0) {
        MPI_Send(pair, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
