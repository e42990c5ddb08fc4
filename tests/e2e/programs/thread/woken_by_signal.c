/* SPDX-License-Identifier: BSD-3-Clause */
/* Both ranks wait for a message in one thread, while the other one sleeps on a semaphore. Signal
 * handlers post these later, and the threads send what lets everybody go on: the program is
 * correct, and nobody can know that while it waits.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: suspected
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * SAYS: another thread of (each of ranks 0 and 1|rank [01]) sleeps outside MPI
 * OUTPUT: rank 0 received 7
 * OUTPUT: rank 1 received 7
 * STOP: deadlock \(suspected\)
 * PLAIN: ends
 */
#include "../stop.h"

#include <mpi.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>

static sem_t woken;

static void wake(int signal)
{
    (void)signal;
    if (stop_has_come())
        sem_post(&woken);
}

static void *send_when_woken(void *other)
{
    int word = 7;

    while (sem_wait(&woken) != 0) {
        /* the handler ran in this thread */
    }
    MPI_Send(&word, 1, MPI_INT, *(int *)other, 0, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t second;
    int provided, rank, peer, word = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fputs("no MPI_THREAD_MULTIPLE\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    sem_init(&woken, 0, 0);
    pthread_create(&second, NULL, send_when_woken, &peer);
    stop_look(wake);
    MPI_Recv(&word, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    printf("rank %d received %d\n", rank, word);
    pthread_join(second, NULL);
    MPI_Finalize();
    return 0;
}
