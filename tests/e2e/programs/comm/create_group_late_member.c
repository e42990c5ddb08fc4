/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 waits for a message before it joins MPI_Comm_create_group; rank 3 is no member and
 * finalizes.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,2}
 * CALL: 0 MPI_Comm_create_group HERE
 * CALL: 2 MPI_Recv HERE
 * CALL: 3 MPI_Finalize
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Comm three;
    MPI_Group world;
    MPI_Group group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 2) {
        usleep(50000); /* the others are there first */
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    if (rank < 3) {
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        MPI_Group_incl(world, 3, (int[]){0, 1, 2}, &group);
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &three); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
