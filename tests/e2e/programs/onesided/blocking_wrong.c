/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of calls that block in the memory of a window, while another rank accesses the same bytes
 * and nothing orders the two (MPI-3.1 section 11.7): a receive, a matched receive, MPI_Sendrecv,
 * MPI_Bcast and a read of a file write what is put under a lock; MPI_Allreduce may write its result
 * from the beginning on, also before the other rank calls it; MPI_Gatherv receives between gaps.
 * What is sent, broadcast and written to a file is put in the same fence epoch: the value depends
 * on timing.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * FINDING: rma-conflict warning
 * SAYS: error: rma-conflict: rank 0 put bytes 0-11 of the window of rank 1 \(blocking_wrong.c:\d+\) while rank 1 wrote bytes 0-15 of it as a buffer of MPI_Recv \(blocking_wrong.c:\d+\): nothing orders them
 * SAYS: error: rma-conflict: rank 0 put bytes 16-27 of the window of rank 1 .* while rank 1 wrote bytes 16-31 of it as a buffer of MPI_Sendrecv
 * SAYS: error: rma-conflict: rank 0 put bytes 32-43 of the window of rank 1 .* while rank 1 wrote bytes 32-47 of it as a buffer of MPI_Mrecv
 * SAYS: error: rma-conflict: rank 0 put bytes 48-59 of the window of rank 1 .* while rank 1 wrote bytes 48-63 of it as a buffer of MPI_Bcast
 * SAYS: error: rma-conflict: rank 0 put bytes 64-75 of the window of rank 1 .* while rank 1 wrote bytes 64-79 of it as a buffer of MPI_Allreduce
 * SAYS: error: rma-conflict: rank 0 put bytes 88-99 of the window of rank 1 .* while rank 1 wrote some of bytes 80-91 of it as a buffer of MPI_Gatherv
 * SAYS: error: rma-conflict: rank 0 put bytes 112-123 of the window of rank 1 .* while rank 1 wrote bytes 112-127 of it as a buffer of MPI_File_read_at
 * SAYS: warning: rma-conflict: rank 0 put bytes 128-131 of the window of rank 1 .* while rank 1 read bytes 128-143 of it as a buffer of MPI_Send
 * SAYS: warning: rma-conflict: rank 0 put bytes 144-147 of the window of rank 1 .* while rank 1 read bytes 144-159 of it as a buffer of MPI_Bcast
 * SAYS: warning: rma-conflict: rank 0 put bytes 160-163 of the window of rank 1 .* while rank 1 read bytes 160-175 of it as a buffer of MPI_File_write_at_all
 * SAYS: orknot: 10 findings \(7 errors\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int rank, peer, word[4], *memory;
static MPI_Win win;
static MPI_File file;

static void put(int place)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(word, 3, MPI_INT, 1, place, 3, MPI_INT, win); /* HERE */
    MPI_Win_unlock(1, win);
}

/* The message is there before the put; but whether it was received is not known. */
static void receive(void)
{
    if (rank == 0) {
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        put(0);
    } else {
        MPI_Recv(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
}

static void exchange(void)
{
    int in[4];

    MPI_Sendrecv(word, 4, MPI_INT, peer, 0, rank == 1 ? memory + 4 : in, 4, MPI_INT, peer, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        put(4);
}

static void matched(void)
{
    MPI_Message message;

    if (rank == 0) {
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        put(8);
    } else {
        MPI_Mprobe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &message, MPI_STATUS_IGNORE);
        MPI_Mrecv(memory + 8, 4, MPI_INT, &message, MPI_STATUS_IGNORE); /* HERE */
    }
}

static void broadcast(void)
{
    MPI_Bcast(rank == 1 ? memory + 12 : word, 4, MPI_INT, 0, MPI_COMM_WORLD); /* HERE */
    if (rank == 0)
        put(12);
}

static void reduce(void)
{
    int sum[4];

    if (rank == 0)
        put(16);
    MPI_Allreduce(word, rank == 1 ? memory + 16 : sum, 4, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void gather(void)
{
    const int counts[] = {1, 1}, displs[] = {0, 2};

    MPI_Gatherv(word, 1, MPI_INT, memory + 20, counts, displs, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank == 0)
        put(22);
}

static void read_file(void)
{
    if (rank == 0)
        put(28);
    else
        MPI_File_read_at(file, 0, memory + 28, 4, MPI_INT, MPI_STATUS_IGNORE); /* HERE */
}

/* The put is made before the message comes, and is complete after it. */
static void send(void)
{
    int in[4];

    MPI_Win_fence(0, win);
    if (rank == 0) {
        MPI_Put(word, 1, MPI_INT, 1, 32, 1, MPI_INT, win); /* HERE */
        MPI_Recv(in, 4, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(memory + 32, 4, MPI_INT, 0, 0, MPI_COMM_WORLD); /* HERE */
    }
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

/* Rank 1 may still read its buffer, for other ranks, when rank 0 has the data. */
static void broadcast_own(void)
{
    MPI_Win_fence(0, win);
    MPI_Bcast(rank == 1 ? memory + 36 : word, 4, MPI_INT, 1, MPI_COMM_WORLD); /* HERE */
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 1, 36, 1, MPI_INT, win); /* HERE */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

static void write_file(void)
{
    MPI_Win_fence(0, win);
    MPI_File_write_at_all(file, 16 * rank, rank == 1 ? memory + 40 : word, 4, MPI_INT, /* HERE */
                          MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 1, 40, 1, MPI_INT, win); /* HERE */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {receive, exchange,  matched, broadcast,     reduce,
                                        gather,  read_file, send,    broadcast_own, write_file};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    MPI_Win_allocate(64 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_File_open(MPI_COMM_WORLD, "blocking.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, 16 * rank, word, 4, MPI_INT, MPI_STATUS_IGNORE);
    for (unsigned i = 0; i < sizeof(act) / sizeof(*act); i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        act[i]();
    }
    MPI_File_close(&file);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
