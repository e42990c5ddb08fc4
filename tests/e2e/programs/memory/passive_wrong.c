/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores of the owner in passive epochs, which no wait orders (MPI-3.1 section 11.7): it
 * increments an element that another rank accumulates into, which is an error; it adds up an array
 * that is put; and it waits for a flag, before which the data was not flushed.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * FINDING: rma-conflict warning
 * SAYS: error: rma-conflict: rank 0 stored to bytes 0-3 of the window of rank 0 .* while rank 1 accumulated into bytes 0-3
 * SAYS: warning: rma-conflict: rank 0 loaded bytes 0-3 of the window of rank 0 .* while rank 1 accumulated into bytes 0-3
 * SAYS: warning: rma-conflict: rank 0 loaded bytes 16-79 of the window of rank 0 .* while rank 1 put bytes 16-79 of it
 * SAYS: warning: rma-conflict: rank 0 loaded bytes 4-7 of the window of rank 0 .* while rank 1 put bytes 4-7 of it
 * SAYS: Both accesses are allowed, but the value that is read depends on timing
 * SAYS: orknot: 4 findings \(1 error\): 2 ranks
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { COUNTER, DATA, FLAG, ARRAY = 4, LENGTH = 16 };

static int rank, one = 1, ones[LENGTH], *memory;
static volatile int seen;
static MPI_Win win;

static int sum(void)
{
    int all = 0;

    for (int i = 0; i < LENGTH; i++)
        all += memory[ARRAY + i]; /* HERE */
    return all;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(32 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 32; i++)
        memory[i] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    if (rank == 0)
        memory[COUNTER]++; /* HERE */
    else
        MPI_Accumulate(&one, 1, MPI_INT, 0, COUNTER, 1, MPI_INT, MPI_SUM, win); /* HERE */
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        seen = sum();
    else
        MPI_Put(ones, LENGTH, MPI_INT, 0, ARRAY, LENGTH, MPI_INT, win); /* HERE */
    MPI_Win_flush_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Put(&one, 1, MPI_INT, 0, DATA, 1, MPI_INT, win); /* HERE */
        MPI_Accumulate(&one, 1, MPI_INT, 0, FLAG, 1, MPI_INT, MPI_REPLACE, win);
    } else {
        while (*(volatile int *)&memory[FLAG] == 0)
            MPI_Win_sync(win);
        seen = memory[DATA]; /* HERE */
    }
    MPI_Win_unlock_all(win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
