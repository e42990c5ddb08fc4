/* SPDX-License-Identifier: BSD-3-Clause */
/* Iterations are folded, with and without sums over all ranks, while one message is on its way;
 * then there is a window. Messages that were sent after its creation order two puts. The message
 * from before it was made does not order two others, and nor does anything else.
 *
 * RANKS: 3
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: rma-conflict: rank 0 put bytes 4-7 of the window of rank 2 \(window_after_loops.c:\d+\) while rank 1 put bytes 4-7 of it \(window_after_loops.c:\d+\): nothing orders them
 * SAYS: orknot: 1 finding
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { ITERATIONS = 10000, EARLY = 1, BALL = 2, AFTER = 3 };

static int rank, word;

static void rotate(int right, int left)
{
    int ball = 0;

    MPI_Sendrecv_replace(&ball, 1, MPI_INT, right, BALL, left, BALL, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
}

static void put(int place, MPI_Win win)
{
    MPI_Put(&rank, 1, MPI_INT, 2, place, 1, MPI_INT, win);
    MPI_Win_flush(2, win);
}

static void put_in_turn(MPI_Win win)
{
    if (rank == 1)
        MPI_Recv(&word, 1, MPI_INT, 0, AFTER, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank < 2)
        put(0, win);
    if (rank == 0)
        MPI_Send(&word, 1, MPI_INT, 1, AFTER, MPI_COMM_WORLD);
}

static void put_at_once(MPI_Win win)
{
    if (rank == 1)
        MPI_Recv(&word, 1, MPI_INT, 0, EARLY, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        MPI_Put(&rank, 1, MPI_INT, 2, 1, 1, MPI_INT, win); /* HERE */
    if (rank == 1)
        MPI_Put(&rank, 1, MPI_INT, 2, 1, 1, MPI_INT, win); /* HERE */
}

int main(int argc, char **argv)
{
    int sum = 0, memory[2] = {0};
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Isend(&sum, 1, MPI_INT, 1, EARLY, MPI_COMM_WORLD, &request);
    for (int i = 0; i < ITERATIONS; i++)
        rotate((rank + 1) % 3, (rank + 2) % 3);
    for (int i = 0; i < ITERATIONS; i++) {
        rotate((rank + 1) % 3, (rank + 2) % 3);
        if (i % 4 == 0)
            MPI_Allreduce(&rank, &word, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_lock_all(0, win);
    put_in_turn(win);
    put_at_once(win);
    MPI_Win_unlock_all(win);
    for (int i = 0; i < ITERATIONS; i++)
        rotate((rank + 1) % 3, (rank + 2) % 3);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
