/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers of operations in the memory of a window that look wrong and are right (MPI-3.1 sections
 * 3.7.2 and 11.7): a receive that is complete before the other rank is told, or posted after the
 * put was complete; other bytes, and the gaps of a column; what is received is put by the owner
 * itself after the wait; a send while others get; a receive that is cancelled, and a send whose
 * request was freed and that a message confirms; MPI_Request_get_status; sends that have one
 * handle; a rank that gets until the message shows.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

static int rank, word[4] = {1, 1, 1, 1}, *memory;
static MPI_Win win;
static MPI_Request request;

static void put(int place)
{
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(word, 1, MPI_INT, 1, place, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
}

static void receive_then_tell(void)
{
    if (rank == 1) {
        MPI_Irecv(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    } else {
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(0);
    }
}

static void put_then_receive(void)
{
    if (rank == 0) {
        put(0);
        MPI_Send(word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
        MPI_Send(word, 4, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Irecv(memory, 4, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        put(0);
    }
}

static void gaps(void)
{
    MPI_Datatype two;

    MPI_Type_vector(2, 1, 2, MPI_INT, &two);
    MPI_Type_commit(&two);
    if (rank == 0) {
        put(1);
        put(3);
        MPI_Send(word, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Irecv(memory, 1, two, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&two);
}

static void send_and_get(void)
{
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(word, 1, MPI_INT, 1, 4, 1, MPI_INT, win);
    else
        MPI_Issend(memory + 4, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    if (rank == 0)
        MPI_Recv(word + 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* Before and after fences; a persistent receive is not active between its rounds. */
static void rounds(void)
{
    if (rank == 1)
        MPI_Recv_init(memory + 5, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
    for (int i = 0; i < 5; i++) {
        if (rank == 0) {
            MPI_Send(word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        } else {
            MPI_Start(&request);
            MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        MPI_Win_fence(0, win);
        if (rank == 0)
            MPI_Put(word, 1, MPI_INT, 1, 5, 1, MPI_INT, win);
        MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    }
    if (rank == 1)
        MPI_Request_free(&request);
}

static void cancelled(void)
{
    if (rank == 1) {
        MPI_Irecv(memory + 6, 1, MPI_INT, 0, 77, MPI_COMM_WORLD, &request);
        MPI_Cancel(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        put(6);
}

/* Rank 0 tells that it has the message; MPI_Request_get_status, that the receive is complete. */
static void freed(void)
{
    int flag = 0;

    if (rank == 1) {
        MPI_Issend(memory + 7, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Request_free(&request);
        MPI_Irecv(memory + 9, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        while (!flag)
            MPI_Request_get_status(request, &flag, MPI_STATUS_IGNORE);
        MPI_Send(word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(word + 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(word + 1, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(7);
        put(9);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* The library may use one handle for all of them. */
static void several(void)
{
    MPI_Request all[3];

    if (rank == 1) {
        for (int i = 0; i < 3; i++)
            MPI_Isend(memory + 10 + i, 1, MPI_INT, 0, i, MPI_COMM_WORLD, &all[i]);
        MPI_Waitall(3, all, MPI_STATUSES_IGNORE);
    } else {
        for (int i = 0; i < 3; i++)
            MPI_Recv(word + 1, 1, MPI_INT, 1, i, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_fence(0, win);
    for (int i = 0; rank == 0 && i < 3; i++)
        MPI_Put(word, 1, MPI_INT, 1, 10 + i, 1, MPI_INT, win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
}

/* Rank 0 puts only when it has got what rank 1 received. */
static void got_until_it_shows(void)
{
    int seen = 0, value = 5;

    if (rank == 1) {
        MPI_Irecv(memory + 8, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Win_sync(win);
        MPI_Win_unlock(1, win);
        return;
    }
    MPI_Send(&value, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    while (seen != 5) {
        MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
        MPI_Get(&seen, 1, MPI_INT, 1, 8, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    put(8);
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {
        receive_then_tell,  put_then_receive, gaps, send_and_get, rounds, cancelled, freed,
        got_until_it_shows, several};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(16 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 16; i++)
        memory[i] = 0;
    for (unsigned i = 0; i < sizeof(act) / sizeof(*act); i++) {
        MPI_Barrier(MPI_COMM_WORLD);
        act[i]();
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
