/* SPDX-License-Identifier: BSD-3-Clause */
/* A message longer than the receive buffer ends the job by the default error handler. The finding
 * of the message says so: there is no second one.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: truncation error
 * SAYS: MPI_Recv at truncation_fatal.c:\d+ of rank 1 failed with MPI_ERR_TRUNCATE: message truncated
 * SAYS: 1 finding
 * LAST: 0: MPI_Send LONGER; MPI_Recv
 * LAST: 1: MPI_Recv SHORT
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
        MPI_Send(pair, 2, MPI_INT, 1, 0, MPI_COMM_WORLD); /* LONGER */
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SHORT */
    }
    MPI_Finalize();
    return 0;
}
