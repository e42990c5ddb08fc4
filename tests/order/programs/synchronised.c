/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives from any source, first the message of rank 1. Rank 2 sends when it has
 * synchronised with rank 0 by a fence, an epoch of which it is the target, an epoch in which it
 * gets data, a group, or what it reads from a window: so its message cannot be the first one.
 *
 * RANKS: 3 */
#include <mpi.h>

#include <unistd.h>

static int me, shared[3];
static MPI_Win window;
static MPI_Group zero, two, both;

static void fence(void)
{
    int value = 1;

    if (me == 0)
        MPI_Put(&value, 1, MPI_INT, 2, me, 1, MPI_INT, window);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, window);
}

static void be_target(void)
{
    if (me == 0) {
        MPI_Win_start(two, 0, window);
        MPI_Win_complete(window);
    }
    if (me == 2) {
        MPI_Win_post(zero, 0, window);
        MPI_Win_wait(window);
    }
}

static void get(void)
{
    int value = 0;

    if (me == 0) {
        MPI_Win_post(two, 0, window);
        MPI_Win_wait(window);
    }
    if (me == 2) {
        MPI_Win_start(zero, 0, window);
        MPI_Get(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_complete(window);
    }
}

static void create_group(void)
{
    MPI_Comm comm = MPI_COMM_NULL;

    if (me == 1)
        return;
    MPI_Comm_create_group(MPI_COMM_WORLD, both, 5, &comm);
    MPI_Comm_free(&comm);
}

static int read_flag(void)
{
    int flag = 0, nothing = 0;

    MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
    MPI_Fetch_and_op(&nothing, &flag, MPI_INT, 0, 1, MPI_NO_OP, window);
    MPI_Win_unlock(0, window);
    return flag;
}

static void read_memory(void)
{
    int flag = 1, old = 0;

    if (me == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
        MPI_Fetch_and_op(&flag, &old, MPI_INT, 0, 1, MPI_REPLACE, window);
        MPI_Win_unlock(0, window);
    }
    while (me == 2 && read_flag() == 0)
        usleep(1000);
}

int main(int argc, char **argv)
{
    static void (*const synchronise[])(void) = {fence, be_target, get, create_group, read_memory};
    const int ranks[2] = {0, 2};
    MPI_Group all;
    int value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, &ranks[0], &zero);
    MPI_Group_incl(all, 1, &ranks[1], &two);
    MPI_Group_incl(all, 2, ranks, &both);
    MPI_Win_create(shared, sizeof(shared), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    for (int i = 0; i < (int)(sizeof(synchronise) / sizeof(synchronise[0])); i++) {
        if (me == 1)
            MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        if (me == 0)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        synchronise[i]();
        if (me == 2)
            MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
        if (me == 0)
            MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&zero);
    MPI_Group_free(&two);
    MPI_Group_free(&both);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
