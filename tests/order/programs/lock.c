/* SPDX-License-Identifier: BSD-3-Clause */
/* All ranks append their number to a list in rank 0's window, under an exclusive lock; rank 0 does
 * it in its own memory. With SKIP, rank 1 appends nothing.
 *
 * RANKS: 3 */
#include "digest.h"

enum { ROUNDS = 5, MOST = 8 };

/* The list: how many there are, then the numbers. */
static int list[1 + MOST * ROUNDS];

static void append(MPI_Win window)
{
    int used;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Get(&used, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_flush(0, window);
    int next = used + 1;
    MPI_Put(&me, 1, MPI_INT, 0, next, 1, MPI_INT, window);
    MPI_Put(&next, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    MPI_Win_unlock(0, window);
    saw(used);
}

int main(int argc, char **argv)
{
    MPI_Win window;

    begin(&argc, &argv);
    MPI_Win_create(list, sizeof(list), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me != 1 || getenv("SKIP") == NULL)
            append(window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; me == 0 && i < 1 + ranks * ROUNDS; i++)
        saw(list[i]);
    MPI_Win_free(&window);
    return end();
}
