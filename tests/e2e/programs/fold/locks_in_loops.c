/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop of shared locks and one of flushes are folded, although each lock is a choice of the run.
 * Then ranks 0 and 1 put to the same bytes, which nothing orders; in the loops, each rank has bytes
 * of its own.
 *
 * RANKS: 3
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: rma-conflict: rank 0 put bytes 0-3 of the window of rank 2 \(locks_in_loops.c:\d+\) while rank 1 put bytes 0-3 of it \(locks_in_loops.c:\d+\): nothing orders them
 * SAYS: orknot: 1 finding
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { ITERATIONS = 800, PLACES = 8 };

static int rank, right, word;
static MPI_Win win;

static void put(int target, int place)
{
    MPI_Put(&word, 1, MPI_INT, target, place, 1, MPI_INT, win);
}

static void locks(void)
{
    for (int i = 0; i < ITERATIONS; i++) {
        MPI_Win_lock(MPI_LOCK_SHARED, right, 0, win);
        put(right, rank);
        MPI_Win_unlock(right, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

static void flushes(void)
{
    MPI_Win_lock_all(0, win);
    for (int i = 0; i < ITERATIONS; i++) {
        put(right, rank);
        MPI_Win_flush(right, win);
        MPI_Get(&word, 1, MPI_INT, right, PLACES - 1, 1, MPI_INT, win);
        MPI_Win_flush_local(right, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int memory[PLACES] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    right = (rank + 1) % 3;
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    locks();
    flushes();
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&word, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* HERE */
    if (rank == 1)
        MPI_Put(&word, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* HERE */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
