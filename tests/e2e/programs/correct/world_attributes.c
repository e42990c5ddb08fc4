/* SPDX-License-Identifier: BSD-3-Clause */
/* What a program can learn of its world is the same as without the tool.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 2147483647 2 MPI_COMM_WORLD 2 0
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int *tag_ub;
    int *universe;
    int has_ub;
    int has_universe;
    int length;
    char name[MPI_MAX_OBJECT_NAME];

    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_TAG_UB, &tag_ub, &has_ub);
    MPI_Comm_get_attr(MPI_COMM_WORLD, MPI_UNIVERSE_SIZE, &universe, &has_universe);
    MPI_Comm_get_name(MPI_COMM_WORLD, name, &length);
    if (rank == 0)
        printf("%d %d %s %s %s\n", has_ub ? *tag_ub : 0, has_universe ? *universe : 0, name,
               getenv("OMPI_COMM_WORLD_SIZE"), getenv("OMPI_COMM_WORLD_RANK"));
    MPI_Finalize();
    return 0;
}
