/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of a rank to its own memory in a window, at the same time as accesses of calls
 * to the same bytes (MPI-3.1 section 11.7). A store and a put, in each kind of epoch, is an error;
 * if only one of the two changes the bytes, the value that is read depends on timing.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * FINDING: rma-conflict warning
 * SAYS: error: rma-conflict: rank 0 stored to bytes 0-3 of the window of rank 0 \(windows_wrong.c:\d+\) while rank 1 put bytes 0-3 of it \(windows_wrong.c:\d+\): nothing orders them
 * SAYS: warning: rma-conflict: rank 0 loaded bytes 4-7 of the window of rank 0 .* while rank 1 put bytes 4-7 of it
 * SAYS: warning: rma-conflict: rank 0 stored to bytes 8-11 of the window of rank 0 .* while rank 1 got bytes 8-11 of it
 * SAYS: Both accesses are allowed, but the value that is read depends on timing
 * SAYS: error: rma-conflict: rank 0 stored to bytes 12-15 of the window of rank 0 .* while rank 1 put bytes 12-15 of it
 * SAYS: Rank 0 may access these bytes before its MPI_Win_post, and after its MPI_Win_wait
 * SAYS: error: rma-conflict: rank 0 stored to bytes 16-19 of the window of rank 0 .* while rank 1 accumulated into bytes 16-19 of it
 * SAYS: An exclusive MPI_Win_lock of its own memory around the access of rank 0 would exclude them
 * SAYS: error: rma-conflict: rank 0 put bytes 20-23 of the window of rank 0 .* and stored to bytes 20-23 of it .* before the first access was complete
 * SAYS: error: rma-conflict: rank 0 stored to some of bytes 32-\d+ of the window of rank 0 .* while rank 1 put bytes 48-51 of it
 * SAYS: rank 0: store at .*windows_wrong.c:\d+ in \w+
 * SAYS: orknot: 7 findings \(5 errors\)
 * SAYS_LINE: HERE
 * EXIT: 66
 */
#include <mpi.h>

enum { INTS = 64 };

static int rank, word = 1, *memory;
static volatile int seen;
static MPI_Win win;

static void store_and_put(void)
{
    if (rank == 0)
        memory[0] = 1; /* HERE */
    else
        MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* HERE */
    MPI_Win_fence(0, win);
}

static void load_and_put(void)
{
    if (rank == 0)
        seen = memory[1]; /* HERE */
    else
        MPI_Put(&word, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* HERE */
    MPI_Win_fence(0, win);
}

static void store_and_get(void)
{
    if (rank == 0)
        memory[2] = 1; /* HERE */
    else
        MPI_Get(&word, 1, MPI_INT, 0, 2, 1, MPI_INT, win); /* HERE */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void store_while_exposed(void)
{
    MPI_Group all, other;
    const int peer = 1 - rank;

    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    if (rank == 0) {
        MPI_Win_post(other, 0, win);
        memory[3] = 1; /* HERE */
        MPI_Win_wait(win);
        memory[3] = 2;
    } else {
        MPI_Win_start(other, 0, win);
        MPI_Put(&word, 1, MPI_INT, 0, 3, 1, MPI_INT, win); /* HERE */
        MPI_Win_complete(win);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
}

static void store_and_accumulate(void)
{
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        memory[4] = 1; /* HERE */
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Accumulate(&word, 1, MPI_INT, 0, 4, 1, MPI_INT, MPI_SUM, win); /* HERE */
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void put_and_store(void)
{
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&word, 1, MPI_INT, 0, 5, 1, MPI_INT, win); /* HERE */
        memory[5] = 2;                                     /* HERE */
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Every second word from the eighth one on. */
static void loop_and_put(void)
{
    MPI_Win_fence(0, win);
    if (rank == 0) {
        for (int i = 8; i < INTS; i += 2)
            memory[i] = i; /* HERE */
    } else {
        MPI_Put(&word, 1, MPI_INT, 0, 11, 1, MPI_INT, win);
        MPI_Put(&word, 1, MPI_INT, 0, 12, 1, MPI_INT, win); /* HERE */
    }
    MPI_Win_fence(0, win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(INTS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    store_and_put();
    load_and_put();
    store_and_get();
    store_while_exposed();
    store_and_accumulate();
    put_and_store();
    loop_and_put();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
