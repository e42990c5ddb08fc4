/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 reads a flag in its own memory of a window, without any call, until rank 1 has put it
 * there. Rank 1 needs a lock for that, and rank 0 could still ask for an earlier one.
 *
 * RANKS: 2 */
#include "digest.h"

static int put_flag(MPI_Win window)
{
    int flag = 1;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Put(&flag, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    return flag;
}

int main(int argc, char **argv)
{
    volatile int *flag;
    MPI_Win window;

    begin(&argc, &argv);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &flag, &window);
    *flag = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    while (me == 0 && *flag == 0)
        continue;
    saw(me == 1 ? put_flag(window) : *flag);
    MPI_Win_free(&window);
    return end();
}
