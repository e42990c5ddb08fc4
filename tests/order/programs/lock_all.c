/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 reads a shared window of all ranks under MPI_Win_lock_all; the others change it under
 * exclusive locks of single ranks.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 6, MOST = 8 };

static int *memory[MOST];

static void read_all(MPI_Win window)
{
    MPI_Win_lock_all(0, window);
    MPI_Win_sync(window);
    for (int i = 0; i < ranks; i++)
        saw(*(volatile int *)memory[i]);
    MPI_Win_unlock_all(window);
}

static void change(MPI_Win window, int target, int number)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
    MPI_Win_sync(window);
    saw(*(volatile int *)memory[target]);
    *(volatile int *)memory[target] = number;
    MPI_Win_sync(window);
    MPI_Win_unlock(target, window);
}

int main(int argc, char **argv)
{
    MPI_Win window;

    begin(&argc, &argv);
    MPI_Win_allocate_shared(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory[me],
                            &window);
    *memory[me] = 0;
    for (int i = 0; i < ranks; i++) {
        MPI_Aint size;
        int unit;
        MPI_Win_shared_query(window, i, &size, &unit, &memory[i]);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me == 0)
            read_all(window);
        else
            change(window, (me + i) % ranks, 10 * (i + 1) + me);
    }
    MPI_Win_free(&window);
    return end();
}
