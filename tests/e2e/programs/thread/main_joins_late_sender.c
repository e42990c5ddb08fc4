/* SPDX-License-Identifier: BSD-3-Clause */
/* A second thread of each rank communicates while the first waits for it. That of rank 0 is called
 * long after that of rank 1 has begun to wait: two of its own threads keep each other busy, one of
 * them in MPI.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: received 7
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void *send_late(void *unused)
{
    const struct timespec part = {.tv_nsec = 100000000};
    int word = 7;
    int size;

    (void)unused;
    for (int i = 0; i < 60; i++) {
        nanosleep(&part, NULL);
        MPI_Comm_size(MPI_COMM_SELF, &size); /* writes no record */
    }
    MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return NULL;
}

static void *receive(void *unused)
{
    int word = 0;

    (void)unused;
    MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    printf("received %d\n", word);
    return NULL;
}

static void *receive_at_0(void *unused)
{
    int word = 0;

    (void)unused;
    MPI_Recv(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[2];
    int provided;
    int rank;
    int word = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fputs("no MPI_THREAD_MULTIPLE\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&thread[0], NULL, receive_at_0, NULL);
        pthread_create(&thread[1], NULL, send_late, NULL);
        pthread_join(thread[0], NULL);
        pthread_join(thread[1], NULL);
    } else {
        pthread_create(&thread[0], NULL, receive, NULL);
        pthread_join(thread[0], NULL);
        MPI_Send(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
