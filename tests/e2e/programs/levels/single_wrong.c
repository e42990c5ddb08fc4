/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Init provides MPI_THREAD_SINGLE, so a second thread must not call MPI (MPI-3.1
 * sections 12.4.3 and 8.7).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: thread-level error
 * SAYS: MPI_Barrier \(single_wrong.c:\d+\) of ranks 0 and 1 is made by another thread than that of
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <pthread.h>

static void *synchronize(void *unused)
{
    (void)unused;
    MPI_Barrier(MPI_COMM_WORLD); /* HERE */
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;

    MPI_Init(&argc, &argv);
    pthread_create(&thread, NULL, synchronize, NULL);
    pthread_join(thread, NULL);
    MPI_Finalize();
    return 0;
}
