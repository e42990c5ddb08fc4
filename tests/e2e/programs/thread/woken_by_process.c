/* SPDX-License-Identifier: BSD-3-Clause */
/* As woken_by_signal.c, but the thread has called MPI before, and it is another process that posts
 * the semaphore.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * MAYBE: buffer-overlap
 * CLASS: suspected
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 1 MPI_Recv HERE
 * SAYS: The tool cannot see what may wake it
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
#include <sys/mman.h>
#include <sys/wait.h>

static sem_t *woken;

static void *send_when_woken(void *other)
{
    int word = 7;

    MPI_Sendrecv(&word, 1, MPI_INT, 0, 1, &word, 1, MPI_INT, 0, 1, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    sem_wait(woken);
    MPI_Send(&word, 1, MPI_INT, *(int *)other, 0, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t second;
    int provided, rank, peer, word = 0;

    stop_init();
    woken = mmap(NULL, sizeof(*woken), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    sem_init(woken, 1, 0);
    pid_t child = fork();
    if (child == 0) {
        while (!stop_has_come())
            usleep(100000);
        sem_post(woken);
        _exit(0);
    }
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fputs("no MPI_THREAD_MULTIPLE\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    pthread_create(&second, NULL, send_when_woken, &peer);
    MPI_Recv(&word, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    printf("rank %d received %d\n", rank, word);
    pthread_join(second, NULL);
    waitpid(child, NULL, 0);
    MPI_Finalize();
    return 0;
}
