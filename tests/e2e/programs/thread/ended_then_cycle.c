/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread after the other calls MPI and ends. Then the first thread of each rank waits for a
 * message of the other rank: nobody is left who could send it.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Recv HERE
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 500 };

static void *exchange(void *other)
{
    int in, out = 7, peer = *(int *)other;

    MPI_Sendrecv(&out, 1, MPI_INT, peer, 1, &in, 1, MPI_INT, peer, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, rank, peer, word = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fputs("no MPI_THREAD_MULTIPLE\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    for (int i = 0; i < THREADS; i++) {
        pthread_t thread;
        pthread_create(&thread, NULL, exchange, &peer);
        pthread_join(thread, NULL);
    }
    MPI_Recv(&word, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Send(&word, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
