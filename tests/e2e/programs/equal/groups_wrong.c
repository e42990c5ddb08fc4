/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 6.4.2 and 6.6.2: the members of a group pass it to MPI_Comm_create in the same
 * order; `high` is the same in each group of an intercommunicator.
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS: different values of high to MPI_Intercomm_merge on .*: false at rank 0 \(.*\), true at rank 1 \(
 * SAYS: different values of group to MPI_Comm_create on MPI_COMM_WORLD: a group of 2 processes at rank 0 \(.*\), another group of 2 processes at rank 1 \(
 * SAYS: All ranks of a group must pass the same high \(MPI-3.1 section 6.6.2\)
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

static int rank;

static void merge(void)
{
    MPI_Comm half, both, all;

    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &both);
    MPI_Intercomm_merge(both, rank != 0, &all);
}

static void create(void)
{
    MPI_Group world, pair;
    MPI_Comm made;
    int low[2] = {0, 1}, reversed[2] = {1, 0}, high[2] = {2, 3};

    MPI_Comm_group(MPI_COMM_WORLD, &world);
    MPI_Group_incl(world, 2, rank >= 2 ? high : rank == 1 ? reversed : low, &pair);
    MPI_Comm_create(MPI_COMM_WORLD, pair, &made);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    merge();
    create();
    MPI_Finalize();
    return 0;
}
