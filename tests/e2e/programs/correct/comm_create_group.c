/* SPDX-License-Identifier: BSD-3-Clause */
/* Two disjoint groups make their communicators without the other ranks and in their own time.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 3
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int out = 1;
    MPI_Comm half;
    MPI_Group world;
    MPI_Group group;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_range_incl(world, 1, (int[1][3]){{rank % 2, 3, 2}}, &group);
    MPI_Comm_create_group(MPI_COMM_WORLD, group, rank % 2, &half);
    out = rank + 1;
    MPI_Bcast(&out, 1, MPI_INT, 1, half);
    MPI_Comm_free(&half);
    MPI_Group_free(&group);
    MPI_Group_free(&world);
    if (rank == 0)
        printf("%d\n", out);
    MPI_Finalize();
    return 0;
}
