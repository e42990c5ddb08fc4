/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of each rank wait for messages that nobody sends: the rows show both.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv
 * SAYS: rank 0: MPI_Recv\(peer 1, tag 5.* waits for 1 \[thread 1: MPI_Recv from 1, tag 7 \(both_threads_receive.c:\d+\)\]
 * SAYS_LINE: FIRST
 * SAYS_LINE: SECOND
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *receive(void *peer)
{
    int word;

    MPI_Recv(&word, 1, MPI_INT, *(int *)peer, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SECOND */
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t second;
    int provided, rank, peer, word;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fputs("no MPI_THREAD_MULTIPLE\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    pthread_create(&second, NULL, receive, &peer);
    MPI_Recv(&word, 1, MPI_INT, peer, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* FIRST */
    pthread_join(second, NULL);
    MPI_Finalize();
    return 0;
}
