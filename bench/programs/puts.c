/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank puts 8 bytes to its right neighbour, gets them from there, or updates them there, again
 * and again, and completes that in one of several ways. For each way a line "name seconds".
 * [rounds] [name: this way only] */
#include "loop.h"

#include <string.h>

enum { BATCH = 100 };

static int rank, ranks, right;
static double word, *memory;
static MPI_Win win;
static const char *only;

static void lock(long rounds)
{
    for (long i = 0; i < rounds; i++) {
        MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
        MPI_Put(&word, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
        MPI_Win_unlock(right, win);
    }
}

static void put_flush(long rounds)
{
    MPI_Win_lock_all(0, win);
    for (long i = 0; i < rounds; i++) {
        MPI_Put(&word, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush(right, win);
    }
    MPI_Win_unlock_all(win);
}

static void get_flush(long rounds)
{
    MPI_Win_lock_all(0, win);
    for (long i = 0; i < rounds; i++) {
        MPI_Get(&word, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
        MPI_Win_flush(right, win);
    }
    MPI_Win_unlock_all(win);
}

static void fence(long rounds)
{
    MPI_Win_fence(0, win);
    for (long i = 0; i < rounds; i++) {
        MPI_Put(&word, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
    }
}

/* As many puts as elsewhere, but few fences. */
static void puts_fence(long rounds)
{
    MPI_Win_fence(0, win);
    for (long i = 0; i < rounds; i += BATCH) {
        for (int k = 0; k < BATCH; k++)
            MPI_Put(&word, 1, MPI_DOUBLE, right, k, 1, MPI_DOUBLE, win);
        MPI_Win_fence(0, win);
    }
}

static void accumulate(long rounds)
{
    MPI_Win_lock_all(0, win);
    for (long i = 0; i < rounds; i++) {
        MPI_Accumulate(&word, 1, MPI_DOUBLE, right, 0, 1, MPI_DOUBLE, MPI_SUM, win);
        MPI_Win_flush(right, win);
    }
    MPI_Win_unlock_all(win);
}

static void fetch_and_op(long rounds)
{
    static double before;

    MPI_Win_lock_all(0, win);
    for (long i = 0; i < rounds; i++) {
        MPI_Fetch_and_op(&word, &before, MPI_DOUBLE, right, 0, MPI_SUM, win);
        MPI_Win_flush(right, win);
    }
    MPI_Win_unlock_all(win);
}

static void measure(const char *name, void (*loop)(long), long rounds)
{
    double begin, mine, slowest;

    if (only != NULL && strcmp(only, name) != 0)
        return;
    loop(BATCH);
    MPI_Barrier(MPI_COMM_WORLD);
    begin = MPI_Wtime();
    loop(rounds);
    mine = MPI_Wtime() - begin;
    MPI_Reduce(&mine, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%s %.6f\n", name, slowest);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    right = (rank + 1) % ranks;
    long rounds = loop_rounds(argc, argv, 20000);
    only = argc > 2 ? argv[2] : NULL;
    MPI_Win_allocate(BATCH * sizeof(double), sizeof(double), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                     &win);
    measure("lock", lock, rounds);
    measure("put_flush", put_flush, rounds);
    measure("get_flush", get_flush, rounds);
    measure("accumulate", accumulate, rounds);
    measure("fetch_and_op", fetch_and_op, rounds);
    measure("fence", fence, rounds);
    measure("puts_fence", puts_fence, rounds);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
