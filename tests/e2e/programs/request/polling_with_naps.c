/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks look for a message that neither sends, and sleep in between, which takes processor
 * time but is no work. In the end a signal comes, which the tool cannot know.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: suspected
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * SAYS: rank 0: MPI_Iprobe\(peer 1, tag 0, MPI_COMM_WORLD\) at \S*polling_with_naps.c:\d+ in main,.* polling
 * STOP: deadlock \(suspected\)
 * PLAIN: ends
 * EXIT: 0
 */
#include "../stop.h"

#include <mpi.h>
#include <time.h>

static volatile sig_atomic_t is_over;

static void end(int signal)
{
    (void)signal;
    is_over = stop_has_come();
}

int main(int argc, char **argv)
{
    const struct timespec nap = {.tv_nsec = 100000};
    int rank;
    int found = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    stop_look(end);
    while (!found && !is_over) {
        MPI_Iprobe(1 - rank, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        nanosleep(&nap, NULL);
    }
    MPI_Finalize();
    return 0;
}
