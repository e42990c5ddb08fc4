/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 gives up while the others are in a barrier: an end, not a deadlock.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * EXIT: 3
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        usleep(20000);
        MPI_Abort(MPI_COMM_WORLD, 3);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
