/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 does not call MPI_Comm_create_group, and so its group waits. The text names the
 * communicator that the program passed.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 2 MPI_Comm_create_group HERE
 * SAYS: rank 1 never calls MPI_Comm_create_group on MPI_COMM_WORLD: it is in MPI_Finalize
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    const int members[2] = {1, 2};
    MPI_Comm two;
    MPI_Group world, group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, members, &group);
    if (rank == 2)
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, &two); /* HERE */
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    MPI_Finalize();
    return 0;
}
