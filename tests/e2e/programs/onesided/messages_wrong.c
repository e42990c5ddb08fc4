/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of pending operations in the memory of a window, while another rank accesses the same
 * bytes (MPI-3.1 sections 3.7.2, 5.12 and 11.7): a receive, a persistent receive and MPI_Iallreduce
 * write what is put or accumulated under locks and between fences; a column of a matrix is
 * received; what is sent is put in a fence epoch, so that the value depends on timing; a rank puts
 * to itself and receives before that is complete.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * FINDING: rma-conflict warning
 * SAYS: error: rma-conflict: rank 0 put bytes 0-11 of the window of rank 1 \(messages_wrong.c:\d+\) while rank 1 wrote bytes 0-15 of it as a buffer of MPI_Irecv \(messages_wrong.c:\d+\): nothing orders them
 * SAYS: error: rma-conflict: rank 0 put bytes 20-23 of the window of rank 1 .* while rank 1 wrote bytes 16-31 of it as a buffer of MPI_Irecv
 * SAYS: error: rma-conflict: rank 0 accumulated into bytes 32-43 of the window of rank 1 .* while rank 1 wrote bytes 32-43 of it as a buffer of MPI_Start
 * SAYS: error: rma-conflict: rank 0 put bytes 64-75 of the window of rank 1 .* while rank 1 wrote bytes 64-75 of it as a buffer of MPI_Iallreduce
 * SAYS: error: rma-conflict: rank 0 put bytes 88-99 of the window of rank 1 .* while rank 1 wrote some of bytes 80-91 of it as a buffer of MPI_Irecv
 * SAYS: warning: rma-conflict: rank 0 put bytes 52-55 of the window of rank 1 .* while rank 1 read bytes 52-55 of it as a buffer of MPI_Issend
 * SAYS: error: rma-conflict: rank 1 put bytes 56-59 of the window of rank 1 .* and wrote bytes 56-59 of it as a buffer of MPI_Irecv .* before the first access was complete
 * SAYS: orknot: 7 findings \(6 errors\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int rank, word[4], *memory;
static MPI_Win win;
static MPI_Request request;

static void put(int place)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(word, 3, MPI_INT, 1, place, 3, MPI_INT, win); /* HERE */
    MPI_Win_unlock(1, win);
}

/* The message is sent when the put is complete; but the receive was posted before. */
static void receive(void)
{
    if (rank == 0) {
        put(0);
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* HERE */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
}

static void receive_across_a_fence(void)
{
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Irecv(memory + 4, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* HERE */
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 1, 5, 1, MPI_INT, win); /* HERE */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 0)
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void persistent(void)
{
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Accumulate(word, 3, MPI_INT, 1, 8, 3, MPI_INT, MPI_SUM, win); /* HERE */
        MPI_Win_unlock(1, win);
        MPI_Send(word, 3, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv_init(memory + 8, 3, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Start(&request); /* HERE */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
    }
}

static void collective(void)
{
    int sum[3];

    MPI_Iallreduce(word, rank == 1 ? memory + 16 : sum, 3, MPI_INT, MPI_SUM, MPI_COMM_WORLD,
                   &request);
    if (rank == 0)
        put(16);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void column(void)
{
    MPI_Datatype two;

    MPI_Type_vector(2, 1, 2, MPI_INT, &two);
    MPI_Type_commit(&two);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(word, 1, MPI_INT, 1, 21, 1, MPI_INT, win); /* the gap */
        MPI_Put(word, 3, MPI_INT, 1, 22, 3, MPI_INT, win); /* HERE */
        MPI_Win_unlock(1, win);
        MPI_Send(word, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(memory + 20, 1, two, 0, 0, MPI_COMM_WORLD, &request); /* HERE */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&two);
}

static void send_in_a_fence_epoch(void)
{
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 1, 13, 1, MPI_INT, win); /* HERE */
    else
        MPI_Issend(memory + 13, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* HERE */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 0)
        MPI_Recv(word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void own(void)
{
    if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Put(word, 1, MPI_INT, 1, 14, 1, MPI_INT, win);                  /* HERE */
        MPI_Irecv(memory + 14, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request); /* HERE */
        MPI_Win_unlock(1, win);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Send(word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {receive, receive_across_a_fence, persistent, collective,
                                        column,  send_in_a_fence_epoch,  own};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(32 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (unsigned i = 0; i < sizeof(act) / sizeof(*act); i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        act[i]();
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
