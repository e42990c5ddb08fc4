/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks look for a message that neither sends, and sleep in between, which takes processor time
 * but is no work. In the end they look at a clock.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: suspected
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * PLAIN: ends
 * EXIT: 0
 */
#include <mpi.h>
#include <time.h>

int main(int argc, char **argv)
{
    const struct timespec nap = {.tv_nsec = 100000};
    int rank;
    int found = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    double end = MPI_Wtime() + 5;
    while (!found && MPI_Wtime() < end) {
        MPI_Iprobe(1 - rank, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
        nanosleep(&nap, NULL);
    }
    MPI_Finalize();
    return 0;
}
