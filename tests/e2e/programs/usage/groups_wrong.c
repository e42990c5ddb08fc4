/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups with members that do not exist or occur twice, and strides of 0 (MPI-3.1 section 6.3.2);
 * a communicator for processes that the old one does not have (6.4.2).
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * SAYS: ranks has rank 1 more than once in MPI_Group_incl
 * SAYS: ranks has rank 0 more than once in MPI_Group_excl
 * SAYS: ranks has rank 3 in MPI_Group_excl .* but the group has 3 processes
 * SAYS: the stride of ranges\[1\] is 0 in MPI_Group_range_incl
 * SAYS: ranges has rank 4 in MPI_Group_range_incl .* but the group has 3 processes
 * SAYS: ranges has rank 1 more than once in MPI_Group_range_excl
 * SAYS: group of MPI_Comm_create \(.* of rank 0 has 1 member that the communicator lacks
 * SAYS_LINE: SPLIT
 * MAYBE: resource-leak
 */
#include <mpi.h>

static MPI_Comm world = MPI_COMM_WORLD;

static void members(MPI_Group all)
{
    int twice[] = {1, 2, 1}, again[] = {0, 0}, far[] = {3};
    int none[][3] = {{0, 0, 1}, {1, 2, 0}}, beyond[][3] = {{0, 5, 2}},
        meet[][3] = {{0, 1, 1}, {2, 1, -1}};
    MPI_Group made = MPI_GROUP_NULL;

    MPI_Group_incl(all, 3, twice, &made);
    MPI_Group_excl(all, 2, again, &made);
    MPI_Group_excl(all, 1, far, &made);
    MPI_Group_range_incl(all, 2, none, &made);
    MPI_Group_range_incl(all, 1, beyond, &made);
    MPI_Group_range_excl(all, 2, meet, &made);
}

/* Rank 0 is alone in a communicator, and the error is its own. */
static void subsets(MPI_Group all)
{
    int rank, two[] = {0, 1};
    MPI_Comm alone, made = MPI_COMM_NULL;
    MPI_Group pair;

    MPI_Comm_rank(world, &rank);
    MPI_Comm_split(world, rank, 0, &alone);
    MPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
    MPI_Group_incl(all, 2, two, &pair);
    if (rank == 0)
        MPI_Comm_create(alone, pair, &made); /* SPLIT */
    MPI_Group_free(&pair);
    MPI_Comm_free(&alone);
}

int main(int argc, char **argv)
{
    MPI_Group all;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_group(world, &all);
    members(all);
    subsets(all);
    MPI_Group_free(&all);
    MPI_Finalize();
    return 0;
}
