/* SPDX-License-Identifier: BSD-3-Clause */
/* Two windows of one communicator, and one that has the same place after it was freed. A rank locks
 * one in the epoch of the other.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 4 };

/* Add to the number at the target, which is locked. */
static void add(MPI_Win window, int target)
{
    int one = 1, before = 0;

    MPI_Fetch_and_op(&one, &before, MPI_INT, target, 0, MPI_SUM, window);
    MPI_Win_flush(target, window);
    saw(before);
}

static void nest(MPI_Win outer, MPI_Win inner)
{
    int target = me % 2;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, outer);
    add(outer, target);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, inner);
    add(inner, 2);
    MPI_Win_unlock(2, inner);
    add(outer, target);
    MPI_Win_unlock(target, outer);
}

int main(int argc, char **argv)
{
    static int first[1], second[1], third[1];
    MPI_Win outer, inner;

    begin(&argc, &argv);
    MPI_Win_create(first, sizeof(first), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &outer);
    MPI_Win_create(second, sizeof(second), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &inner);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        nest(outer, inner);
    }
    MPI_Win_free(&inner);
    MPI_Win_create(third, sizeof(third), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &inner);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        nest(outer, inner);
    }
    MPI_Win_free(&inner);
    MPI_Win_free(&outer);
    return end();
}
