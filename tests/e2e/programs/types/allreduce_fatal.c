/* SPDX-License-Identifier: BSD-3-Clause */
/* An MPI_Allreduce to which one rank passes more than the other (MPI-3.1 section 5.9.6) ends the
 * job. The library finds the error at the rank that passes less: there is no second finding.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: count-mismatch error
 * SAYS: passes 1000 x MPI_INT \(MPI_Allreduce at allreduce_fatal.c:\d+\)
 * SAYS: MPI_Allreduce at allreduce_fatal.c:\d+ of rank 0 failed with MPI_ERR_TRUNCATE
 * SAYS: 1 finding
 * PLAIN: any
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    static int words[1000], sums[1000];
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(words, sums, rank == 0 ? 4 : 1000, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
