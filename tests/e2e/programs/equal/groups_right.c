/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups of different ranks may differ, and a rank outside may pass any. The two groups of an
 * intercommunicator may pass different values of `high`, or the same.
 *
 * RANKS: 5
 * EXPECT: clean
 */
#include <mpi.h>

static int rank;

static void merge(int high)
{
    MPI_Comm half, both, all;

    MPI_Comm_split(MPI_COMM_WORLD, rank / 2 == 0, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &both);
    MPI_Intercomm_merge(both, high, &all);
    MPI_Comm_free(&all);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
}

static void create(int n, const int *member)
{
    MPI_Group world, part;
    MPI_Comm made;

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, n, member, &part);
    MPI_Comm_create(MPI_COMM_WORLD, part, &made);
    if (made != MPI_COMM_NULL)
        MPI_Comm_free(&made);
    MPI_Group_free(&part);
    MPI_Group_free(&world);
}

int main(int argc, char **argv)
{
    int low[2] = {1, 0}, high[2] = {2, 4};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    merge(rank < 2);
    merge(1 + rank);
    create(2, rank < 2 || rank == 3 ? low : high);
    create(rank < 2 ? 2 : 0, low);
    MPI_Finalize();
    return 0;
}
