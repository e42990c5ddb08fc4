/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 waits for a message before it joins MPI_Comm_split, in which the sender already is.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,2}
 * CALL: 0 MPI_Comm_split HERE
 * CALL: 1 MPI_Comm_split HERE
 * CALL: 2 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Comm part;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        usleep(50000); /* the others are there first */
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part); /* HERE */
    MPI_Finalize();
    return 0;
}
