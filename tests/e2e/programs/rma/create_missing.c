/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 leaves out MPI_Win_create.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Win_create HERE
 * CALL: 1 MPI_Win_create HERE
 * CALL: 2 MPI_Finalize
 * SAYS: (?i)rank 2\b.*MPI_Finalize
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int cell = 0;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2)
        usleep(50000); /* the others are there first */
    else
        MPI_Win_create(&cell, 4, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &window); /* HERE */
    MPI_Finalize();
    return 0;
}
