/* SPDX-License-Identifier: BSD-3-Clause */
/* A rank that is not in the group calls MPI_Comm_create_group too and gets MPI_COMM_NULL at once.
 * The deadlock after it is found.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,2}
 * CALL: 0 MPI_Recv HERE
 * CALL: 2 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Group world;
    MPI_Group two;
    MPI_Comm pair;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, (int[]){0, 1}, &two);
    MPI_Comm_create_group(MPI_COMM_WORLD, two, 0, &pair);
    MPI_Comm_create_group(MPI_COMM_WORLD, MPI_GROUP_EMPTY, 1, &pair);
    if (rank != 1)
        MPI_Recv(&in, 1, MPI_INT, 2 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
