/* SPDX-License-Identifier: BSD-3-Clause */
/* A second thread of each rank waits for a message of the other rank; the first thread, which
 * called MPI_Init_thread, waits for the second.
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

static void *exchange(void *other)
{
    int peer = *(int *)other;
    int word = 0;

    MPI_Recv(&word, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Send(&word, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t second;
    int provided;
    int rank;
    int peer;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fputs("no MPI_THREAD_MULTIPLE\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    pthread_create(&second, NULL, exchange, &peer);
    pthread_join(second, NULL);
    MPI_Finalize();
    return 0;
}
