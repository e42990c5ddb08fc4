/* SPDX-License-Identifier: BSD-3-Clause */
/* Three ranks, three communicators of two, and barriers that chase each other in a circle.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Barrier HERE
 * CALL: 1 MPI_Barrier HERE
 * CALL: 2 MPI_Barrier HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm pair[3];
    MPI_Group world;
    MPI_Group group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    for (int i = 0; i < 3; i++) {
        int member[2] = {i, (i + 1) % 3};

        MPI_Group_incl(world, 2, member, &group);
        MPI_Comm_create(MPI_COMM_WORLD, group, &pair[i]);
        MPI_Group_free(&group);
    }
    MPI_Barrier(pair[rank]); /* HERE */
    MPI_Barrier(pair[(rank + 2) % 3]);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
