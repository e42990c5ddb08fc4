/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of calls that block in the memory of a window, that look wrong and are right (MPI-3.1
 * section 11.7): a put that is complete before the message that is then received into the same
 * bytes was sent; a put by the rank that has received what was sent from them; messages that are
 * shorter than the buffer, and the rest of it; other bytes, gaps, MPI_PROC_NULL, and buffers of
 * collective calls that are not significant at this rank; what the other rank has received or
 * reduced in full; MPI_IN_PLACE; both ranks only read; exclusive locks; fences, and MPI_Win_post
 * and MPI_Win_wait; an element that the rank waits for and then receives into; the end of a file.
 *
 * RANKS: 2
 * EXPECT: clean
 * OPTIONS: --must:sends buffered
 */
#include <mpi.h>
#include <stddef.h>

static int rank, peer, word[8], *memory;
static MPI_Win win;
static MPI_File file;

static void put(int place, int count)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(word, count, MPI_INT, 1, place, count, MPI_INT, win);
    MPI_Win_unlock(1, win);
}

static void put_then_send(void)
{
    int in[4];

    if (rank == 0) {
        put(0, 4);
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        put(4, 4);
    } else {
        MPI_Recv(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        put(0, 4);
    MPI_Sendrecv(word, 4, MPI_INT, peer, 0, rank == 1 ? memory : in, 4, MPI_INT, peer, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Rank 0 puts an answer where the question was sent from. */
static void answer(void)
{
    for (int i = 0; i < 4; i++) {
        MPI_Win_fence(0, win);
        if (rank == 1) {
            MPI_Ssend(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
        } else {
            MPI_Recv(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            MPI_Put(word, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        }
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    }
}

static void shorter(void)
{
    MPI_Message message;
    int none[8];

    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(word, 4, MPI_INT, 1, 4, 4, MPI_INT, win);
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(word, 0, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Sendrecv(word, 15, MPI_BYTE, 1, 0, none, 1, MPI_INT, 1, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(memory, 8, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Mprobe(0, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(memory, 8, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Recv(memory, 8, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Sendrecv(word, 1, MPI_INT, 0, 0, memory, 32, MPI_BYTE, 0, 0, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        MPI_Recv(memory + 4, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(memory + 4, 4, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void gaps(void)
{
    const int counts[] = {1, 1}, displs[] = {0, 2};
    MPI_Datatype two;

    MPI_Type_vector(2, 1, 2, MPI_INT, &two);
    MPI_Type_commit(&two);
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(word, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
        MPI_Send(word, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(memory, 1, two, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Gatherv(word, 1, MPI_INT, memory, counts, displs, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    MPI_Type_free(&two);
}

/* Not significant: the receive buffers of rank 1, which is not the root, and the buffers of both
 * in place. The sum has all of what rank 1 contributes. */
static void collectives(void)
{
    int out[8];

    if (rank == 0)
        put(0, 4);
    MPI_Reduce(word, rank == 1 ? memory : out, 4, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Gather(word, 2, MPI_INT, rank == 1 ? memory : out, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < 2; i++) {
        MPI_Win_fence(0, win);
        if (i == 0)
            MPI_Allreduce(rank == 1 ? memory : word, out, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
        else
            MPI_Gather(rank == 1 ? memory : word, 4, MPI_INT, out, 4, MPI_INT, 0, MPI_COMM_WORLD);
        if (rank == 0)
            MPI_Put(word, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    }
    if (rank == 1)
        MPI_Gather(MPI_IN_PLACE, 0, MPI_INT, memory, 4, MPI_INT, 1, MPI_COMM_WORLD);
    else
        MPI_Gather(word, 4, MPI_INT, NULL, 0, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank == 0)
        put(4, 4); /* the block of rank 1 itself */
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        put(0, 4);
    MPI_Bcast(rank == 1 ? memory : word, 4, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
}

static void both_read(void)
{
    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Get(word, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Recv(word + 4, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void locks(void)
{
    if (rank == 0) {
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        put(0, 4);
    } else {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Recv(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_unlock(1, win);
    }
}

static void exposure(void)
{
    MPI_Group all, other;

    MPI_Win_get_group(win, &all);
    MPI_Group_incl(all, 1, &peer, &other);
    if (rank == 0) {
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Win_start(other, 0, win);
        MPI_Put(word, 4, MPI_INT, 1, 0, 4, MPI_INT, win);
        MPI_Win_complete(win);
    } else {
        MPI_Recv(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Win_post(other, 0, win);
        MPI_Win_wait(win);
        MPI_Recv(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Group_free(&all);
    MPI_Group_free(&other);
}

/* Rank 1 waits until the flag shows, and then receives into it. */
static void wait_for_element(void)
{
    int flag = 5;

    if (rank == 0) {
        MPI_Send(word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Accumulate(&flag, 1, MPI_INT, 1, 8, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_unlock(1, win);
    } else {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        while (*(volatile int *)&memory[8] != flag)
            MPI_Win_sync(win);
        MPI_Win_unlock(1, win);
        MPI_Recv(memory + 8, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
}

static void files(void)
{
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(word, 4, MPI_INT, 1, 4, 4, MPI_INT, win);
    MPI_File_write_at_all(file, 16 * rank, rank == 1 ? memory : word, 4, MPI_INT,
                          MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_File_read_at(file, 16, memory, 8, MPI_INT, MPI_STATUS_IGNORE); /* has 4 */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {put_then_send,    answer,    shorter, gaps,
                                        collectives,      both_read, locks,   exposure,
                                        wait_for_element, files};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 16; i++)
        memory[i] = 0;
    MPI_File_open(MPI_COMM_WORLD, "blocking_right.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    for (unsigned i = 0; i < sizeof(act) / sizeof(*act); i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        act[i]();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
