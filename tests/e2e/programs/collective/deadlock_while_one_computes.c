/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 0 and 1 hang while rank 2 is busy; the report must not wait for it.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    /* RATIONALE: the tool ends the job long before; without it the job hangs anyway. */
    if (rank == 2)
        sleep(20);
    else
        MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
