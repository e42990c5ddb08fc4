/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 11.3: the buffer of a get is used by other calls, and that of a put is written,
 * before the one-sided call is complete at the origin.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: error: buffer-overlap: MPI_Get \(origins.c:34\) of rank 0 writes bytes 0 to 7 of a buffer that the pending MPI_Get \(origins.c:33\) writes
 * SAYS: error: buffer-overlap: MPI_Put \(origins.c:38\) of rank 0 reads bytes 4 to 7 of a buffer that the pending MPI_Get \(origins.c:37\) writes
 * SAYS: error: buffer-overlap: MPI_Send \(origins.c:42\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Get \(origins.c:41\) writes
 * SAYS: error: buffer-overlap: MPI_Recv \(origins.c:46\) of rank 0 writes bytes 0 to 3 of a buffer that the pending MPI_Put \(origins.c:45\) reads
 * SAYS: error: buffer-overlap: MPI_Bcast \(origins.c:50\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Rget \(origins.c:49\) writes
 * SAYS: error: buffer-overlap: MPI_Get \(origins.c:56\) of rank 0 writes bytes 0 to 3 of a buffer that the pending MPI_Irecv \(origins.c:55\) writes
 * SAYS: error: buffer-overlap: MPI_Get \(origins.c:62\) of rank 0 writes bytes 0 to 3 of a buffer that the pending MPI_Fetch_and_op \(origins.c:61\) writes
 * SAYS: error: buffer-overlap: MPI_Send \(origins.c:67\) of rank 0 reads bytes 0 to 3 of a buffer that the pending MPI_Get \(origins.c:65\) writes
 * SAYS: 8 findings
 * SAYS: by a flush, by its request, or by the call that ends the epoch \(MPI-3.1 section 11.3\)
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

static int memory[4], buffer[4], got[4], other;
static MPI_Win win;

static void call_as_origin(void)
{
    MPI_Request request;
    int one = 1;

    MPI_Win_lock_all(0, win);

    MPI_Get(buffer, 2, MPI_INT, other, 0, 2, MPI_INT, win);
    MPI_Get(buffer, 2, MPI_INT, other, 2, 2, MPI_INT, win);
    MPI_Win_flush(other, win);

    MPI_Get(buffer, 2, MPI_INT, other, 0, 2, MPI_INT, win);
    MPI_Put(buffer + 1, 1, MPI_INT, other, 3, 1, MPI_INT, win);
    MPI_Win_flush_all(win);

    MPI_Get(buffer, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Send(buffer, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Win_flush(other, win);

    MPI_Put(buffer, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Recv(buffer, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Win_flush(other, win);

    MPI_Rget(buffer, 1, MPI_INT, other, 0, 1, MPI_INT, win, &request);
    MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_flush(other, win);

    /* The message comes later. */
    MPI_Irecv(got, 1, MPI_INT, other, 1, MPI_COMM_WORLD, &request);
    MPI_Get(got, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_flush(other, win);
    MPI_Send(&one, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Fetch_and_op(&one, got, MPI_INT, other, 0, MPI_SUM, win);
    MPI_Get(got, 1, MPI_INT, other, 1, 1, MPI_INT, win);
    MPI_Win_flush(other, win);

    MPI_Get(got, 1, MPI_INT, other, 0, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    MPI_Send(got, 1, MPI_INT, other, 2, MPI_COMM_WORLD);

    MPI_Win_unlock_all(win);
}

static void call_as_target(void)
{
    MPI_Recv(buffer, 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, 1, MPI_INT, other, 0, MPI_COMM_WORLD);
    MPI_Bcast(buffer, 1, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Recv(buffer, 1, MPI_INT, other, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(buffer, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    MPI_Recv(buffer, 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    other = 1 - rank;
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        call_as_origin();
    else
        call_as_target();
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
