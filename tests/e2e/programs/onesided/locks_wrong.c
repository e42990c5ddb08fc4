/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses under locks that exclude nobody, and accesses that are complete without the other rank
 * being told (MPI-3.1 sections 11.5.3, 11.5.4 and 11.7).
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: rank 0 put bytes 0-3 of the window of rank 2 .* while rank 1 put bytes 0-3 of it
 * SAYS: Both ranks are in an epoch of a shared MPI_Win_lock
 * SAYS: rank 0 put bytes 4-7 of the window of rank 2 .* while rank 2 got bytes 4-7 of it
 * SAYS: rank 0 put bytes 8-11 of the window of rank 2 .* while rank 2 got bytes 8-11 of it
 * SAYS: rank 0 put bytes 12-15 of the window of rank 2 .* while rank 2 got bytes 12-15 of it
 * SAYS: rank 1 put bytes 16-19 of the window of rank 2 .* and put bytes 16-19 of it
 * SAYS: but no message or collective call tells rank
 * SAYS: orknot: 5 findings \(5 errors\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int rank, word = 1, seen, *cell;
static MPI_Win win;

static void shared_locks(void)
{
    if (rank == 2)
        return;
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
    MPI_Put(&word, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* HERE */
    MPI_Win_unlock(2, win);
}

/* The message is sent when the put is complete at the origin only. */
static void flush_local_and_message(void)
{
    if (rank == 0) {
        MPI_Put(&word, 1, MPI_INT, 2, 1, 1, MPI_INT, win); /* HERE */
        MPI_Win_flush_local(2, win);
        MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&seen, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&seen, 1, MPI_INT, 2, 1, 1, MPI_INT, win); /* HERE */
        MPI_Win_flush(2, win);
    }
}

/* The request is complete when the buffer may be used again. */
static void request_and_message(void)
{
    MPI_Request request;

    if (rank == 0) {
        MPI_Rput(&word, 1, MPI_INT, 2, 2, 1, MPI_INT, win, &request); /* HERE */
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else if (rank == 2) {
        MPI_Recv(&seen, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&seen, 1, MPI_INT, 2, 2, 1, MPI_INT, win); /* HERE */
        MPI_Win_flush(2, win);
    }
}

/* The message comes from a rank that knows nothing of the put. */
static void flush_and_other_message(void)
{
    if (rank == 0) {
        MPI_Put(&word, 1, MPI_INT, 2, 3, 1, MPI_INT, win); /* HERE */
        MPI_Win_flush(2, win);
    } else if (rank == 1) {
        MPI_Send(&word, 1, MPI_INT, 2, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(&seen, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Get(&seen, 1, MPI_INT, 2, 3, 1, MPI_INT, win); /* HERE */
        MPI_Win_flush(2, win);
    }
}

static void puts_without_flush(void)
{
    if (rank != 1)
        return;
    MPI_Put(&word, 1, MPI_INT, 2, 4, 1, MPI_INT, win); /* HERE */
    MPI_Win_flush_local(2, win);
    MPI_Put(&word, 1, MPI_INT, 2, 4, 1, MPI_INT, win); /* HERE */
}

int main(int argc, char **argv)
{
    static void (*const act[])(void) = {flush_local_and_message, request_and_message,
                                        flush_and_other_message, puts_without_flush};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    shared_locks();
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
