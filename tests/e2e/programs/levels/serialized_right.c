/* SPDX-License-Identifier: BSD-3-Clause */
/* Several threads call MPI one after the other, with MPI_THREAD_SERIALIZED and a mutex around each
 * call (MPI-3.1 section 12.4.3).
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: received 600
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 200 };

static int rank, sum;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void exchange(MPI_Request *request, int *word)
{
    int flag = 0;

    pthread_mutex_lock(&mutex);
    if (rank == 0)
        MPI_Isend(word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, request);
    else
        MPI_Irecv(word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, request);
    pthread_mutex_unlock(&mutex);
    while (!flag) {
        pthread_mutex_lock(&mutex);
        MPI_Test(request, &flag, MPI_STATUS_IGNORE);
        sum += flag ? *word : 0;
        pthread_mutex_unlock(&mutex);
    }
}

static void *communicate(void *unused)
{
    (void)unused;
    for (int i = 0; i < ROUNDS; i++) {
        int word = rank == 0;
        MPI_Request request;
        exchange(&request, &word);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread[THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, communicate, NULL);
    for (int i = 0; i < THREADS; i++)
        pthread_join(thread[i], NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        printf("received %d\n", sum);
    MPI_Finalize();
    return 0;
}
