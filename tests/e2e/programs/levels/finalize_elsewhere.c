/* SPDX-License-Identifier: BSD-3-Clause */
/* Another thread than the one that initialized MPI calls MPI_Finalize (MPI-3.1 section 12.4.3).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: thread-level warning
 * SAYS: MPI_Finalize \(finalize_elsewhere.c:\d+\) of ranks 0 and 1 is made by another thread
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <pthread.h>

static void *end(void *unused)
{
    (void)unused;
    MPI_Finalize(); /* HERE */
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_create(&thread, NULL, end, NULL);
    pthread_join(thread, NULL);
    return 0;
}
