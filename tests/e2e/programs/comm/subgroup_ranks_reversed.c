/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks of the new communicator run backwards: rank 0 of it is rank 2 of the world.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 1 MPI_Recv HERE
 * CALL: 2 MPI_Recv HERE
 * CALL: 0 MPI_Finalize
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int mine;
    MPI_Comm back;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &back);
    MPI_Comm_rank(back, &mine);
    if (mine < 2) {
        usleep(50000); /* the others are there first */
        MPI_Recv(&in, 1, MPI_INT, 1 - mine, 0, back, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
