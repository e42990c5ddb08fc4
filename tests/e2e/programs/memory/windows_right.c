/* SPDX-License-Identifier: BSD-3-Clause */
/* Loads and stores to the memory of a window that look wrong and are right (MPI-3.1 section 11.7):
 * other bytes than those that are put; before and after the fence, MPI_Win_post and MPI_Win_wait; a
 * load while others get; under an exclusive lock of the own memory; after a message that comes
 * after the unlock; a rank that waits until a value shows in its own memory, or gets a value again
 * and again until the owner has stored it, and only then changes what the other one has changed;
 * a flag that is reset when it shows; and memory before it is in the window, and after it was
 * detached.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <stdatomic.h>
#include <stdlib.h>

enum { INTS = 4096, ROUNDS = 20 };

static int rank, peer, words[INTS], *memory;
static volatile int seen;
static MPI_Win win;

static void fences(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < INTS; i++)
            memory[i] += i; /* all of it: nothing is put before the fence */
        MPI_Win_fence(0, win);
        MPI_Put(words, INTS / 2, MPI_INT, peer, 0, INTS / 2, MPI_INT, win);
        for (int i = INTS / 2; i < INTS; i++)
            memory[i] = memory[i] + 1;
        MPI_Win_fence(0, win);
        MPI_Get(words, INTS, MPI_INT, peer, 0, INTS, MPI_INT, win);
        for (int i = 0; i < INTS; i++)
            seen = memory[i];
        MPI_Win_fence(0, win);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

/* Odd words are put, even ones are stored. */
static void stripes(void)
{
    MPI_Datatype odd;

    MPI_Type_vector(INTS / 2, 1, 2, MPI_INT, &odd);
    MPI_Type_commit(&odd);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (int i = 1; i < 64; i += 2)
        MPI_Put(&words[i], 1, MPI_INT, peer, i, 1, MPI_INT, win);
    for (int i = 0; i < INTS; i += 2)
        memory[i] = i;
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Type_free(&odd);
}

static void exposure(void)
{
    MPI_Group all, other;

    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    for (int round = 0; round < ROUNDS; round++) {
        memory[0] = round;
        if (rank == 0) {
            MPI_Win_post(other, 0, win);
            MPI_Win_wait(win);
        } else {
            MPI_Win_start(other, 0, win);
            MPI_Put(words, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
            memory[0] = 5; /* nobody may access it */
            MPI_Win_complete(win);
        }
        memory[0]++;
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void locks(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
        memory[0]++;
        MPI_Win_unlock(rank, win);
        MPI_Win_lock(MPI_LOCK_SHARED, peer, 0, win);
        MPI_Put(words, 1, MPI_INT, peer, 0, 1, MPI_INT, win);
        MPI_Win_unlock(peer, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    memory[0] = 3;
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 1 changes rank 0's first word, then its last one; rank 0 waits for that, and changes the
 * first one. */
static void wait_in_own_memory(void)
{
    MPI_Win_lock_all(0, win);
    if (rank == 1) {
        words[0] = 17;
        MPI_Put(words, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_flush(0, win);
        MPI_Accumulate(words, 1, MPI_INT, 0, INTS - 1, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(0, win);
    } else {
        while (*(volatile int *)&memory[INTS - 1] != 17) {
            int flag;
            MPI_Iprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
            MPI_Win_sync(win);
        }
        memory[0]++;
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 1 puts a flag; rank 0 waits for it, resets it, and tells rank 1 that it may put again. */
static void mailbox(void)
{
    memory[0] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    for (int round = 0; round < ROUNDS; round++) {
        if (rank == 1) {
            words[0] = 1;
            MPI_Put(words, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
            MPI_Win_flush(0, win);
            MPI_Recv(words, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        } else {
            while (*(volatile int *)&memory[0] == 0)
                MPI_Win_sync(win);
            memory[0] = 0;
            MPI_Win_sync(win);
            MPI_Send(words, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        }
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
}

/* Rank 0 changes its first word, then its last one; rank 1 waits for that, and puts the first
 * one. */
static void wait_for_a_store(void)
{
    MPI_Win_lock_all(0, win);
    if (rank == 0) {
        memory[0] = 1;
        MPI_Win_sync(win);
        atomic_store((_Atomic int *)&memory[INTS - 1], 18);
        MPI_Win_sync(win);
    } else {
        for (words[1] = 0; words[1] != 18;) {
            MPI_Get(&words[1], 1, MPI_INT, 0, INTS - 1, 1, MPI_INT, win);
            MPI_Win_flush(0, win);
        }
        MPI_Put(words, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    }
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void dynamic(void)
{
    MPI_Win w;
    MPI_Aint address[2];
    int *own = calloc(2, sizeof(int));

    if (own == NULL)
        return;
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &w);
    own[0] = 1;
    MPI_Win_attach(w, own, sizeof(int));
    MPI_Get_address(own, &address[rank]);
    MPI_Bcast(&address[0], 1, MPI_AINT, 0, MPI_COMM_WORLD);
    MPI_Bcast(&address[1], 1, MPI_AINT, 1, MPI_COMM_WORLD);
    MPI_Win_fence(0, w);
    MPI_Put(words, 1, MPI_INT, peer, address[peer], 1, MPI_INT, w);
    own[1] = 2; /* this one is not attached */
    MPI_Win_fence(0, w);
    own[0] = 3;
    MPI_Win_detach(w, own);
    own[0] = 4;
    MPI_Win_free(&w);
    free(own);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_Win_allocate(INTS * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    fences();
    stripes();
    exposure();
    locks();
    wait_in_own_memory();
    mailbox();
    wait_for_a_store();
    dynamic();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
