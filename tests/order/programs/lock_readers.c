/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 0 and 1 write to rank 2's window under exclusive locks; ranks 2 and 3 read it under shared
 * ones.
 *
 * RANKS: 4 */
#include "digest.h"

enum { ROUNDS = 5, TARGET = 2 };

static void write_number(MPI_Win window, int number)
{
    int before;

    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, TARGET, 0, window);
    MPI_Get(&before, 1, MPI_INT, TARGET, 0, 1, MPI_INT, window);
    MPI_Win_flush(TARGET, window);
    MPI_Put(&number, 1, MPI_INT, TARGET, 0, 1, MPI_INT, window);
    MPI_Win_unlock(TARGET, window);
    saw(before);
}

static void read_number(MPI_Win window)
{
    int number;

    MPI_Win_lock(MPI_LOCK_SHARED, TARGET, 0, window);
    MPI_Get(&number, 1, MPI_INT, TARGET, 0, 1, MPI_INT, window);
    MPI_Win_unlock(TARGET, window);
    saw(number);
}

int main(int argc, char **argv)
{
    int *memory;
    MPI_Win window;

    begin(&argc, &argv);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
    *memory = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ROUNDS; i++) {
        pause_perhaps();
        if (me < TARGET)
            write_number(window, 10 * (i + 1) + me);
        else
            read_number(window);
    }
    MPI_Win_free(&window);
    return end();
}
