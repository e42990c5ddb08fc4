/* SPDX-License-Identifier: BSD-3-Clause */
/* Functions return while their local variables are the buffers of pending operations, and the
 * memory of a window (MPI-3.1 sections 3.7.2, 11.2.5 and 11.3). Their frames are large, so that
 * what the library writes does no harm.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: memory-released error
 * FINDING: memory-released warning
 * SAYS: the buffer of MPI_Isend \(frames.c:\d+\) of rank 0 is a local variable of a function that returned before the operation was complete
 * SAYS: the buffer of MPI_Irecv \(frames.c:\d+\) of rank 0 is a local variable of a function that returned before the operation was complete
 * SAYS: the buffer of MPI_Put \(frames.c:\d+\) of rank 0 is a local variable of a function that returned before the call was complete at the origin
 * SAYS: the memory of the window of MPI_Win_create \(frames.c:\d+\) of ranks 0 and 1 is a local variable of a function that returned before MPI_Win_free
 * EXIT: 66
 */
#include <mpi.h>
#include <string.h>

enum { ROOM = 100000 };

static int rank;

static void __attribute__((noinline)) send(MPI_Request *request)
{
    char room[ROOM];

    memset(room, 1, sizeof(room));
    MPI_Isend(room, 4, MPI_CHAR, 1, 0, MPI_COMM_WORLD, request);
}

static void __attribute__((noinline)) receive(MPI_Request *request)
{
    char room[ROOM];

    memset(room, 1, sizeof(room));
    MPI_Irecv(room, 4, MPI_CHAR, 1, 1, MPI_COMM_WORLD, request);
}

static void __attribute__((noinline)) put(MPI_Win win)
{
    char room[ROOM];

    memset(room, 1, sizeof(room));
    MPI_Put(room, 4, MPI_CHAR, 1, 0, 4, MPI_CHAR, win);
}

static void __attribute__((noinline)) make(MPI_Win *win)
{
    char room[ROOM];

    memset(room, 1, sizeof(room));
    MPI_Win_create(room, sizeof(room), 1, MPI_INFO_NULL, MPI_COMM_WORLD, win);
    MPI_Win_fence(0, *win);
}

int main(int argc, char **argv)
{
    char in[4] = {0}, *memory;
    MPI_Request request;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        send(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        receive(&request);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(in, 4, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Send(in, 4, MPI_CHAR, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Win_allocate(4, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        put(win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    make(&win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
