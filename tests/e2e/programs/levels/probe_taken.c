/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread probes a message, but before it receives it, another thread receives one with the same
 * source and tag (MPI-3.1 section 12.4.3). Two messages have been sent, so the program ends.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: thread-concurrency note
 * SAYS: MPI_Recv .* may miss the message of its probe, because MPI_Recv .probe_taken.c:\d+\) of
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <pthread.h>

static void *receive(void *unused)
{
    int word;

    (void)unused;
    MPI_Recv(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    return NULL;
}

/* Its first call: from then on several threads call MPI. */
static void *synchronize(void *unused)
{
    (void)unused;
    MPI_Barrier(MPI_COMM_SELF);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank, provided, word = 0;
    pthread_t thread;
    MPI_Status status;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
        MPI_Send(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD);
    } else {
        pthread_create(&thread, NULL, synchronize, NULL);
        pthread_join(thread, NULL);
        MPI_Probe(0, 3, MPI_COMM_WORLD, &status);
        pthread_create(&thread, NULL, receive, NULL);
        pthread_join(thread, NULL);
        MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, 3, MPI_COMM_WORLD, &status); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
