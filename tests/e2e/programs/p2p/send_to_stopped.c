/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 is stopped inside a barrier while rank 0 sends more than the queue between them holds. The
 * send waits for room, the barrier for rank 0: only buffering lets them go on, but it does as soon
 * as rank 1 is continued. However long that takes, the job must not be ended.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Send HERE
 * OUTPUT: all received
 */
#include <mpi.h>
#include <signal.h>
#include <stdio.h>
#include <unistd.h>

enum { MESSAGES = 50000 };

/* A child stops this process after half a second, for four. */
static void be_stopped(void)
{
    if (fork() != 0)
        return;
    usleep(500000);
    kill(getppid(), SIGSTOP);
    sleep(4);
    kill(getppid(), SIGCONT);
    _exit(0);
}

int main(int argc, char **argv)
{
    int rank;
    long in, sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        sleep(1);
        for (long i = 0; i < MESSAGES; i++)
            MPI_Send(&i, 1, MPI_LONG, 1, 0, MPI_COMM_WORLD); /* HERE */
        MPI_Barrier(MPI_COMM_WORLD);
    } else {
        be_stopped();
        MPI_Barrier(MPI_COMM_WORLD);
        for (long i = 0; i < MESSAGES; i++) {
            MPI_Recv(&in, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            sum += in == i;
        }
        printf(sum == MESSAGES ? "all received\n" : "%ld received\n", sum);
    }
    MPI_Finalize();
    return 0;
}
