/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends tag 4, gets past it because the library buffers the message, and waits in
 * MPI_Finalize. Rank 1 polls for tag 3, which nobody sends. In the end a signal comes, which the
 * tool cannot know.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: suspected
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Finalize
 * CALL: 1 MPI_Iprobe POLL
 * SAYS: rank 0 sends tag 4 to rank 1 \(MPI_Send at \S*polling_for_another_tag.c:\d+\), but rank 1 polls for tag 3 \(MPI_Iprobe at
 * SAYS: In the last 5 seconds rank 1 did nothing but poll\.
 * STOP: deadlock \(suspected\)
 * PLAIN: ends
 * EXIT: 0
 */
#include "../stop.h"

#include <mpi.h>
#include <sched.h>

static volatile sig_atomic_t is_over;

static void end(int signal)
{
    (void)signal;
    is_over = stop_has_come();
}

int main(int argc, char **argv)
{
    int rank, flag = 0, word = 0;

    MPI_Init(&argc, &argv);
    stop_look(end);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(&word, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
    while (rank == 1 && !flag && !is_over) {
        MPI_Iprobe(0, 3, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE); /* POLL */
        sched_yield();
    }
    if (rank == 1)
        MPI_Recv(&word, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
