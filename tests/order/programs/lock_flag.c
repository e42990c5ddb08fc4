/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 reads a flag of rank 1 again and again, with one-sided calls, until rank 1 has set it.
 * Before that rank 1 needs a lock for which rank 2 competes, whose rounds come earlier and later.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 4 };

static int add(MPI_Win window, int target)
{
    int one = 1, before = 0;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
    MPI_Fetch_and_op(&one, &before, MPI_INT, target, 0, MPI_SUM, window);
    MPI_Win_unlock(target, window);
    return before;
}

static void await_flag(MPI_Win flags, int wanted)
{
    int flag = 0;

    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, flags);
    while (flag != wanted) {
        MPI_Fetch_and_op(NULL, &flag, MPI_INT, 1, 0, MPI_NO_OP, flags);
        MPI_Win_flush(1, flags);
    }
    MPI_Win_unlock(1, flags);
}

static void set_flag(MPI_Win flags, int value)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, flags);
    MPI_Accumulate(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, flags);
    MPI_Win_unlock(1, flags);
}

int main(int argc, char **argv)
{
    static int memory[1], flag[1];
    MPI_Win window, flags;

    begin(&argc, &argv);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_create(flag, sizeof(flag), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flags);
    for (int i = 1; i <= ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            await_flag(flags, i);
        else
            saw(add(window, 2));
        pause_perhaps();
        if (me == 1)
            set_flag(flags, i);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&flags);
    MPI_Win_free(&window);
    return end();
}
