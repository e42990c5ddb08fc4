/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of the owner in passive epochs that look like those of passive_wrong.c: under an
 * exclusive lock; after a flag before which the data was flushed; a look in a function that is
 * called until the value shows; one look, after which the value is changed only if it has shown;
 * and a sum that is taken until it is complete.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

enum { COUNTER, DATA, FLAG, TURN, ARRAY = 4, LENGTH = 16 };

static int rank, one = 1, ones[LENGTH], *memory;
static volatile int seen;
static MPI_Win win;

static int look(int place)
{
    return memory[place];
}

static int sum(void)
{
    int all = 0;

    for (int i = 0; i < LENGTH; i++)
        all += look(ARRAY + i);
    return all;
}

static void under_exclusive_locks(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    if (rank == 0)
        memory[COUNTER]++;
    else
        MPI_Accumulate(&one, 1, MPI_INT, 0, COUNTER, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_unlock(0, win);
}

static void flag_after_flush(void)
{
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(&one, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Accumulate(&one, 1, MPI_INT, 0, FLAG, 1, MPI_INT, MPI_REPLACE, win);
    } else {
        while (look(FLAG) == 0)
            MPI_Win_sync(win);
        seen = memory[DATA];
        memory[DATA]++;
    }
    MPI_Win_unlock_all(win);
}

static void one_look(void)
{
    MPI_Win_lock_all(0, win);
    if (rank == 1)
        MPI_Accumulate(&one, 1, MPI_INT, 0, TURN, 1, MPI_INT, MPI_REPLACE, win);
    else if (memory[TURN] == 1)
        memory[TURN] = 2;
    MPI_Win_unlock_all(win);
}

static void until_the_sum_is_complete(void)
{
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(ones, LENGTH, MPI_INT, 0, ARRAY, LENGTH, MPI_INT, win);
    } else {
        while (sum() != LENGTH)
            MPI_Win_sync(win);
    }
    MPI_Win_unlock_all(win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(32 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 32; i++)
        memory[i] = 0;
    for (int i = 0; i < LENGTH; i++)
        ones[i] = 1;
    MPI_Barrier(MPI_COMM_WORLD);
    under_exclusive_locks();
    MPI_Barrier(MPI_COMM_WORLD);
    flag_after_flush();
    MPI_Barrier(MPI_COMM_WORLD);
    one_look();
    MPI_Barrier(MPI_COMM_WORLD);
    until_the_sum_is_complete();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
