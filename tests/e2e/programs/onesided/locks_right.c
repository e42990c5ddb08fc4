/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses under locks that exclude each other, or that are complete before the other rank is told:
 * by a barrier, a message, a synchronous send, a broadcast, or through a third rank (MPI-3.1
 * sections 11.5.3, 11.5.4 and 11.7).
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

static int rank, word = 1, seen, *cell;
static MPI_Win win;

static void exclusive_locks(void)
{
    for (int i = 0; i < 3; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 2, 0, win);
        MPI_Get(&seen, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_flush(2, win);
        seen++;
        MPI_Put(&seen, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
        MPI_Win_unlock(2, win);
    }
}

/* A lock of rank 0 protects the memory of rank 1. */
static void lock_elsewhere(void)
{
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
    MPI_Win_lock(MPI_LOCK_SHARED, 1, 0, win);
    MPI_Put(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_unlock(1, win);
    MPI_Win_unlock(0, win);
}

static void put(int place)
{
    MPI_Put(&word, 1, MPI_INT, 2, place, 1, MPI_INT, win);
    MPI_Win_flush(2, win);
}

static void get(int place)
{
    MPI_Get(&seen, 1, MPI_INT, 2, place, 1, MPI_INT, win);
    MPI_Win_flush_local(2, win);
}

static void barrier(void)
{
    if (rank == 0)
        put(1);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        get(1);
}

static void message(void)
{
    if (rank == 0) {
        put(2);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&seen, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        get(2);
    }
}

/* The synchronous send is complete only when the receive has begun. */
static void synchronous_send(void)
{
    if (rank == 0) {
        put(3);
        MPI_Recv(&seen, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else if (rank == 1) {
        MPI_Ssend(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        get(3);
    }
}

static void broadcast(void)
{
    if (rank == 0)
        put(4);
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (rank == 1)
        get(4);
}

static void third_rank(void)
{
    MPI_Request request;

    if (rank == 0) {
        put(5);
        MPI_Isend(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else if (rank == 2) {
        MPI_Irecv(&seen, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Gather(&word, 1, MPI_INT, NULL, 0, MPI_INT, 1, MPI_COMM_WORLD);
        return;
    }
    int all[3];
    MPI_Gather(&word, 1, MPI_INT, all, 1, MPI_INT, 1, MPI_COMM_WORLD);
    if (rank == 1)
        get(5);
}

/* A get whose request is complete has read the target. */
static void get_with_request(void)
{
    MPI_Request request;

    if (rank == 0) {
        MPI_Rget(&seen, 1, MPI_INT, 2, 6, 1, MPI_INT, win, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&seen, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        put(6);
    }
}

static void flush_between_puts(void)
{
    if (rank != 1)
        return;
    put(7);
    put(7);
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {barrier,    message,          synchronous_send,  broadcast,
                                        third_rank, get_with_request, flush_between_puts};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    exclusive_locks();
    MPI_Barrier(MPI_COMM_WORLD);
    lock_elsewhere();
    MPI_Barrier(MPI_COMM_WORLD);
    for (unsigned i = 0; i < sizeof(act) / sizeof(*act); i++) {
        MPI_Win_lock_all(0, win);
        act[i]();
        MPI_Win_unlock_all(win);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
