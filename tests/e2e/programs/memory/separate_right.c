/* SPDX-License-Identifier: BSD-3-Clause */
/* Right in the separate memory model, too (MPI-3.1 section 11.7): MPI_Win_sync between a store and
 * the message that tells of it, and between a message and a load; fences, MPI_Win_post and
 * MPI_Win_wait; exclusive locks of the own memory; stores while others only get other bytes, and
 * loads while others put other bytes; a rank that waits for a value with MPI_Fetch_and_op; a store
 * after a message that tells that a get is complete; a call on another window of the same memory.
 *
 * RANKS: 2
 * EXPECT: clean
 * OPTIONS: --must:memory-model separate
 */
#include <mpi.h>
#include <stddef.h>

enum { INTS = 16, ROUNDS = 5 };

static int rank, peer, word = 1, *memory;
static volatile int seen;
static MPI_Win win;

/* Both copies of the own memory. */
static void synchronise(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, win);
    MPI_Win_sync(win);
    MPI_Win_unlock(rank, win);
}

static void access_peer(void)
{
    MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win);
    MPI_Get(&word, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    MPI_Win_flush(peer, win);
    MPI_Put(&word, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
    MPI_Win_unlock(peer, win);
}

static void sync_and_barrier(void)
{
    MPI_Win_lock_all(0, win);
    for (int round = 0; round < ROUNDS; round++) {
        memory[0] = round;
        MPI_Win_sync(win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Get(&word, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
        MPI_Win_flush(peer, win);
        MPI_Put(&word, 1, MPI_INT, peer, 1, 1, MPI_INT, win);
        MPI_Win_flush(peer, win);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_sync(win);
        seen = memory[1];
    }
    MPI_Win_unlock_all(win);
}

static void fences(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < INTS; i++)
            memory[i] += i;
        MPI_Win_fence(0, win);
        MPI_Put(&word, 1, MPI_INT, peer, round, 1, MPI_INT, win);
        for (int i = ROUNDS; i < INTS; i++)
            seen = memory[i]; /* loads may meet updates of other bytes */
        MPI_Win_fence(0, win);
        MPI_Get(&word, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
        for (int i = 1; i < INTS; i++)
            memory[i] = i; /* stores may meet gets of other bytes */
        MPI_Win_fence(0, win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void exposure(void)
{
    MPI_Group all, other;

    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    for (int round = 0; round < ROUNDS; round++) {
        memory[0] = round;
        MPI_Win_post(other, 0, win);
        MPI_Win_start(other, 0, win);
        MPI_Put(&word, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
        MPI_Win_complete(win);
        MPI_Win_wait(win);
        memory[0]++;
    }
    MPI_Win_post(other, 0, win);
    MPI_Win_start(other, 0, win);
    MPI_Win_complete(win);
    MPI_Win_wait(win);
    MPI_Group_free(&all);
    MPI_Group_free(&other);
}

static void exclusive_locks(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        memory[0]++;
        MPI_Win_unlock(rank, win);
        access_peer();
    }
}

static void flush_and_message(void)
{
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        MPI_Put(&word, 1, MPI_INT, 0, 7, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Send(NULL, 0, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_sync(win);
        seen = memory[7];
    }
    MPI_Win_unlock_all(win);
}

/* The flag is stored and published; rank 1 waits for it, and gets what was stored before. */
static void wait_by_calls(void)
{
    int flag = 0;

    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        memory[2] = 5;
        MPI_Win_sync(win);
        flag = 1;
        MPI_Accumulate(&flag, 1, MPI_INT, 0, 3, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    } else {
        while (flag == 0) {
            MPI_Fetch_and_op(NULL, &flag, MPI_INT, 0, 3, MPI_NO_OP, win);
            MPI_Win_flush(0, win);
        }
        MPI_Get(&word, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
}

/* What was got has left the public copy alone, so the private one is up to date. */
static void store_after_get(void)
{
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win);
        MPI_Get(&word, 1, MPI_INT, 0, 4, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        memory[4] = 1;
}

/* Two windows of the same memory have the same private copy. */
static void same_memory(void)
{
    MPI_Win other;

    MPI_Win_create(memory, INTS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &other);
    memory[5] = rank;
    MPI_Win_fence(0, other);
    MPI_Get(&word, 1, MPI_INT, peer, 5, 1, MPI_INT, other);
    MPI_Win_fence(0, other);
    MPI_Put(&word, 1, MPI_INT, peer, 6, 1, MPI_INT, other);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, other);
    seen = memory[6];
    MPI_Win_free(&other);
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {
        sync_and_barrier,  fences,        exposure,        exclusive_locks,
        flush_and_message, wait_by_calls, store_after_get, same_memory};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_Win_allocate(INTS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (unsigned i = 0; i < sizeof(act) / sizeof(*act); i++) {
        for (int k = 0; k < INTS; k++)
            memory[k] = 0;
        synchronise();
        MPI_Barrier(MPI_COMM_WORLD);
        act[i]();
        MPI_Barrier(MPI_COMM_WORLD);
        synchronise();
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
