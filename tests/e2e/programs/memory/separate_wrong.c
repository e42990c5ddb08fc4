/* SPDX-License-Identifier: BSD-3-Clause */
/* Right in the unified memory model, and wrong in the separate one (MPI-3.1 section 11.7): a load
 * after a barrier, and a get of what was stored before it, without MPI_Win_sync; a rank that waits
 * in its own memory until an element shows; a store while another word of the window is put; a
 * message that is received, and got by the other rank; a load that nothing orders; and one after a
 * message, where the put is complete at the origin only.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * OPTIONS: --must:memory-model separate
 * FINDING: rma-conflict warning
 * FINDING: window-sync warning
 * SAYS: warning: window-sync: rank 1 put bytes 0-3 of the window of rank 0 \(separate_wrong.c:\d+\), and later rank 0 loaded bytes 0-3 of it \(separate_wrong.c:\d+\), but rank 0 did not synchronise its memory in between
 * SAYS: In the separate memory model \(--must:memory-model\), rank 0 sees what others have put or accumulated only after a call of MPI_Win_sync
 * SAYS: warning: window-sync: rank 0 stored to bytes 4-7 of the window of rank 0 .*, and later rank 1 got bytes 4-7 of it
 * SAYS: In the separate memory model \(--must:memory-model\), others see what rank 0 has stored only after its next call of MPI_Win_sync
 * SAYS: warning: rma-conflict: rank 0 loaded bytes 8-11 of the window of rank 0 .* while rank 1 accumulated into bytes 8-11 of it
 * SAYS: warning: rma-conflict: rank 0 stored to bytes 12-15 of the window of rank 0 .* while rank 1 put bytes 16-19 of it
 * SAYS: after a store nothing in the window may be put or accumulated before rank 0 calls MPI_Win_sync
 * SAYS: warning: window-sync: rank 0 wrote bytes 20-23 of the window of rank 0 as a buffer of MPI_Recv .*, and later rank 1 got bytes 20-23 of it
 * SAYS: warning: rma-conflict: rank 0 loaded bytes 24-27 of the window of rank 0 .* while rank 1 put bytes 24-27 of it
 * SAYS: warning: rma-conflict: rank 0 loaded bytes 28-31 of the window of rank 0 .* while rank 1 put bytes 28-31 of it
 * SAYS: orknot: 7 findings: 2 ranks
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <stddef.h>

static int rank, word = 1, *memory;
static volatile int seen;
static MPI_Win win;

/* Both copies of the own memory. */
static void synchronise(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Win_sync(win);
    MPI_Win_unlock(rank, win);
}

static void load_after_put(void)
{
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win); /* HERE */
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        seen = memory[0]; /* HERE */
}

static void get_after_store(void)
{
    if (rank == 0)
        memory[1] = 1; /* HERE */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&word, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* HERE */
        MPI_Win_unlock(0, win);
    }
}

static void wait_in_own_memory(void)
{
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Accumulate(&word, 1, MPI_INT, 0, 2, 1, MPI_INT, MPI_REPLACE, win); /* HERE */
        MPI_Win_unlock(0, win);
    } else {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        while (*(volatile int *)&memory[2] == 0) /* HERE */
            MPI_Win_sync(win);
        MPI_Win_unlock(0, win);
    }
}

static void disjoint(void)
{
    MPI_Win_fence(0, win);
    if (rank == 0)
        memory[3] = 1; /* HERE */
    else
        MPI_Put(&word, 1, MPI_INT, 0, 4, 1, MPI_INT, win); /* HERE */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void get_after_receive(void)
{
    if (rank == 0)
        MPI_Recv(&memory[5], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    else
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&word, 1, MPI_INT, 0, 5, 1, MPI_INT, win); /* HERE */
        MPI_Win_unlock(0, win);
    }
}

static void load_at_any_time(void)
{
    if (rank == 0) {
        synchronise();
        seen = memory[6]; /* HERE */
    } else {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Put(&word, 1, MPI_INT, 0, 6, 1, MPI_INT, win); /* HERE */
        MPI_Win_unlock(0, win);
    }
}

static void flush_local_and_message(void)
{
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(&word, 1, MPI_INT, 0, 7, 1, MPI_INT, win); /* HERE */
        MPI_Win_flush_local(0, win);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_sync(win);
        seen = memory[7]; /* HERE */
    }
    MPI_Win_unlock_all(win);
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {
        load_after_put,    get_after_store,  wait_in_own_memory,     disjoint,
        get_after_receive, load_at_any_time, flush_local_and_message};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 8; i++)
        memory[i] = 0;
    for (unsigned i = 0; i < sizeof(act) / sizeof(*act); i++) {
        synchronise();
        MPI_Barrier(MPI_COMM_WORLD);
        act[i]();
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
