/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators and groups are compared, translated and combined, names and hints set and read:
 * nothing of that changes who belongs to what.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: ident 1 congruent 1 similar 1 unequal 1
 * OUTPUT: remote 2, union 4, translated 1, world "everything" and half "half", hint x
 */
#include <mpi.h>
#include <stdio.h>

static void compare(int rank, MPI_Comm half)
{
    int result[4];
    MPI_Comm copy;
    MPI_Comm backwards;

    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    MPI_Comm_split(MPI_COMM_WORLD, 0, -rank, &backwards);
    MPI_Comm_compare(copy, copy, &result[0]);
    MPI_Comm_compare(copy, MPI_COMM_WORLD, &result[1]);
    MPI_Comm_compare(backwards, MPI_COMM_WORLD, &result[2]);
    MPI_Comm_compare(half, MPI_COMM_WORLD, &result[3]);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&backwards);
    if (rank == 0)
        printf("ident %d congruent %d similar %d unequal %d\n", result[0] == MPI_IDENT,
               result[1] == MPI_CONGRUENT, result[2] == MPI_SIMILAR, result[3] == MPI_UNEQUAL);
}

static void combine(MPI_Comm both, int *remote, int *united, int *translated)
{
    MPI_Group near;
    MPI_Group far;
    MPI_Group all;
    int one = 1;

    MPI_Comm_remote_size(both, remote);
    MPI_Comm_group(both, &near);
    MPI_Comm_remote_group(both, &far);
    MPI_Group_union(near, far, &all);
    MPI_Group_size(all, united);
    MPI_Group_translate_ranks(near, 1, &one, all, translated);
    MPI_Group_free(&near);
    MPI_Group_free(&far);
    MPI_Group_free(&all);
}

static void set_hint(MPI_Comm comm, char *value)
{
    MPI_Info info;
    int found = 0;

    MPI_Info_create(&info);
    MPI_Info_set(info, "some_hint", "x");
    MPI_Comm_set_info(comm, info);
    MPI_Info_get(info, "some_hint", 1, value, &found);
    MPI_Info_free(&info);
    MPI_Comm_get_info(comm, &info);
    MPI_Info_free(&info);
}

int main(int argc, char **argv)
{
    int rank;
    int remote;
    int united;
    int translated;
    int length;
    char name[2][MPI_MAX_OBJECT_NAME];
    char hint[2] = "";
    MPI_Comm half;
    MPI_Comm both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 0, &both);
    compare(rank, half);
    combine(both, &remote, &united, &translated);
    MPI_Comm_set_name(MPI_COMM_WORLD, "everything");
    MPI_Comm_set_name(half, "half");
    MPI_Comm_get_name(MPI_COMM_WORLD, name[0], &length);
    MPI_Comm_get_name(half, name[1], &length);
    set_hint(half, hint);
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    if (rank == 0)
        printf("remote %d, union %d, translated %d, world \"%s\" and half \"%s\", hint %s\n",
               remote, united, translated, name[0], name[1], hint);
    MPI_Finalize();
    return 0;
}
