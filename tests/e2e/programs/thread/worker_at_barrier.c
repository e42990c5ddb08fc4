/* SPDX-License-Identifier: BSD-3-Clause */
/* The first thread of each rank waits for a message of the other rank. The second one, which has
 * called MPI before, waits for the first at a barrier of threads: it can wake nobody.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * MAYBE: buffer-overlap
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Recv HERE
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static pthread_barrier_t both;

static void *work(void *unused)
{
    int word = 7;

    (void)unused;
    MPI_Sendrecv(&word, 1, MPI_INT, 0, 1, &word, 1, MPI_INT, 0, 1, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    pthread_barrier_wait(&both);
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
    pthread_barrier_init(&both, NULL, 2);
    pthread_create(&second, NULL, work, NULL);
    MPI_Recv(&word, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    pthread_barrier_wait(&both);
    MPI_Send(&word, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
    pthread_join(second, NULL);
    MPI_Finalize();
    return 0;
}
