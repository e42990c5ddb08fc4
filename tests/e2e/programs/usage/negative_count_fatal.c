/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 receives a negative number of elements (MPI-3.1 section 3.2.4), and the library ends the
 * run: that is one finding, not also an abnormal end.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-argument error
 * SAYS: count is -3 in MPI_Recv \(negative_count_fatal.c:\d+\) of rank 1
 * SAYS: MPI_Recv at negative_count_fatal.c:\d+ of rank 1 failed with MPI_ERR_COUNT
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 1)
        MPI_Recv(&word, -3, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
