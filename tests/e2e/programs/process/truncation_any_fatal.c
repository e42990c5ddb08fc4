/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive from any source takes a message that is too long, and the library ends the run in it.
 * The sender of the other message, which fits, is no part of it.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: truncation error
 * SAYS: rank 0 sends 2 x MPI_INT \(MPI_Send at truncation_any_fatal.c:\d+\), but rank 1 receives at most 1 x MPI_INT \(MPI_Recv at truncation_any_fatal.c:\d+\)
 * SAYS: MPI_Recv at truncation_any_fatal.c:\d+ of rank 1 failed with MPI_ERR_TRUNCATE: message truncated
 * SAYS: 1 finding
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int pair[2] = {1, 2};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(pair, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else if (rank == 2)
        MPI_Send(pair, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    else
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
