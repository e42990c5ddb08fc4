/* SPDX-License-Identifier: BSD-3-Clause */
/* A loop with two probes: where each rank is at any moment is chance, and the cause is one. In the
 * end a signal comes, which the tool cannot know.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: suspected
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,1,2,3}
 * SAYS: MPI_Iprobe\((peer MPI_ANY_SOURCE, tag 1|peer 0, tag 2), MPI_COMM_WORLD\) at \S*polling_two_probes.c:\d+ in main,.* polling
 * STOP: deadlock \(suspected\)
 * PLAIN: ends
 * EXIT: 0
 */
#include "../stop.h"

#include <mpi.h>
#include <sched.h>

enum { TAG_WORK = 1, TAG_STOP = 2 };

static volatile sig_atomic_t is_over;

static void end(int signal)
{
    (void)signal;
    is_over = stop_has_come();
}

int main(int argc, char **argv)
{
    int work = 0;
    int stop = 0;

    MPI_Init(&argc, &argv);
    stop_look(end);
    while (!work && !stop && !is_over) {
        MPI_Iprobe(MPI_ANY_SOURCE, TAG_WORK, MPI_COMM_WORLD, &work, MPI_STATUS_IGNORE);
        sched_yield();
        MPI_Iprobe(0, TAG_STOP, MPI_COMM_WORLD, &stop, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
