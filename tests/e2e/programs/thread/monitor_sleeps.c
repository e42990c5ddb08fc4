/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks wait for a message. A thread that never calls MPI sleeps for a second again and again:
 * it may call MPI some day, so nothing is certain. That nobody gets on is said all the same.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * OPTIONS: --must:hang-after 3 --must:on hang=abort
 * SAYS: no rank has made progress for
 * SAYS: MPI_Recv.*monitor_sleeps
 * SAYS: Ranks 0 and 1 cannot leave the calls listed below unless another thread acts\. Another thread of each of these
 * EXIT: 66
 * PLAIN: hangs
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *watch(void *unused)
{
    for (;;)
        sleep(1);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t second;
    int provided, rank, word = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fputs("no MPI_THREAD_MULTIPLE\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&second, NULL, watch, NULL);
    MPI_Recv(&word, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
