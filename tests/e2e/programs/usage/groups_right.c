/* SPDX-License-Identifier: BSD-3-Clause */
/* Groups that look wrong and are right: no members, all members, negative strides, a last rank that
 * the stride passes over (MPI-3.1 section 6.3.2), ranks that are translated more than once, and
 * MPI_PROC_NULL (6.3.1); communicators of some members, of none, and of the local group of an
 * intercommunicator (6.4.2); colours of some processes only.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 0 2 2 -2
 */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm world = MPI_COMM_WORLD;

static int size_of(MPI_Group group)
{
    int size;

    MPI_Group_size(group, &size);
    if (group != MPI_GROUP_EMPTY)
        MPI_Group_free(&group);
    return size;
}

static void free_comm(MPI_Comm comm)
{
    if (comm != MPI_COMM_NULL)
        MPI_Comm_free(&comm);
}

static void communicators(MPI_Group all)
{
    int rank, second[] = {1}, own[] = {0};
    MPI_Comm half, both, some, none, parts, chosen;
    MPI_Group group, local, first;

    MPI_Comm_rank(world, &rank);
    MPI_Group_incl(all, 1, second, &group);
    MPI_Comm_create(world, group, &some);
    MPI_Comm_create(world, MPI_GROUP_EMPTY, &none);
    MPI_Comm_split(world, rank / 2, 0, &half);
    MPI_Intercomm_create(half, 0, world, rank < 2 ? 2 : 0, 5, &both);
    MPI_Comm_group(both, &local);
    MPI_Group_incl(local, 1, own, &first);
    MPI_Comm_create(both, first, &parts);
    MPI_Comm_split(world, rank == 3 ? 0 : MPI_UNDEFINED, -1, &chosen);
    MPI_Group_free(&group);
    MPI_Group_free(&local);
    MPI_Group_free(&first);
    free_comm(some);
    free_comm(none);
    free_comm(parts);
    free_comm(chosen);
    free_comm(both);
    free_comm(half);
}

int main(int argc, char **argv)
{
    int rank, everyone[] = {3, 2, 1, 0}, ranks[] = {1, 1, MPI_PROC_NULL}, translated[3];
    int down[][3] = {{3, 0, -2}}, over[][3] = {{0, 3, 2}};
    MPI_Group all, none, odd, even;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_group(world, &all);
    MPI_Group_excl(all, 4, everyone, &none);
    MPI_Group_range_incl(all, 1, down, &odd);
    MPI_Group_range_excl(all, 1, over, &even);
    MPI_Group_translate_ranks(all, 3, ranks, all, translated);
    communicators(all);
    MPI_Group_free(&all);
    int sizes[] = {size_of(none), size_of(odd), size_of(even)};
    if (rank == 0)
        printf("%d %d %d %d\n", sizes[0], sizes[1], sizes[2],
               translated[2] == MPI_PROC_NULL ? -2 : translated[2]);
    MPI_Finalize();
    return 0;
}
