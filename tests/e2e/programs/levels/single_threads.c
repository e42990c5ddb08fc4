/* SPDX-License-Identifier: BSD-3-Clause */
/* The program starts threads, but MPI_Init stands for MPI_THREAD_SINGLE (MPI-3.1 section 12.4.3).
 * None of them calls MPI.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: thread-level note
 * SAYS: note: thread-level: pthread_create \(single_threads.c:\d+\) of ranks 0 and 1 starts a thread, but the level is MPI_THREAD_SINGLE
 * SAYS: 1 finding
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <pthread.h>

static void *compute(void *sum)
{
    *(int *)sum += 1;
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int sum = 0;

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 2; i++) {
        pthread_create(&thread, NULL, compute, &sum); /* HERE */
        pthread_join(thread, NULL);
    }
    MPI_Finalize();
    return sum != 2;
}
