/* SPDX-License-Identifier: BSD-3-Clause */
/* Eight ranks do six reductions, rank 6 leaves the loop one round early.
 *
 * RANKS: 8
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3 4 5 6 7
 * ROOTS: {0,1,2,3,4,5,6,7}
 * SAYS: [Rr]ank 6 is in MPI_Finalize \(.*\) after \d+ collective calls on MPI_COMM_WORLD; ranks 0-5 and 7 wait in call number
 * CALL: 0 MPI_Allreduce HERE
 * CALL: 6 MPI_Finalize
 * SAYS: (?i)rank 6\b.*MPI_Finalize
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int rounds = rank == 6 ? 5 : 6;

    for (int i = 0; i < rounds; i++)
        MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* HERE */
    if (rank == 6)
        usleep(50000); /* the others are there first */
    MPI_Finalize();
    return 0;
}
