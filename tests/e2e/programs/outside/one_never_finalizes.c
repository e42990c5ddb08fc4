/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 exits with 0, but without MPI_Finalize, which each process must call (MPI-3.1 section
 * 8.7).
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: abnormal-end error
 * SAYS: rank 1 exited with code 0 without MPI_Finalize, after MPI_Init at one_never_finalizes.c:\d+
 * EXIT: 66
 * SAYS: 1 finding \(1 error\)
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        return 0;
    MPI_Finalize();
    return 0;
}
