/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 leaves a loop one round before rank 0. Its next call still fits to the one in the loop;
 * the one after it does not.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS: the collective calls on MPI_COMM_WORLD do not match: rank 0 calls MPI_Allreduce .*, but rank 1 calls MPI_Barrier
 * SAYS: All ranks made the first 3 collective calls on MPI_COMM_WORLD at the same places, the last of them in MPI_Allreduce \(.*:30\)
 * SAYS: In the next call they parted: rank 0 was in MPI_Allreduce \(.*:30\), and rank 1 in MPI_Allreduce \(.*:31\)
 * INTERRUPT: 2
 * PLAIN: any
 * EXIT: 66 130
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    double own = 1, sum;

    MPI_Init(&argc, &argv);
    puts("started");
    fflush(stdout);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);

    /* lines 30 and 31 */
    for (int round = rank; round < 4; round++)
        MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allreduce(&own, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
