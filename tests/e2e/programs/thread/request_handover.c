/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread starts receives and sends, another one completes them, over and over with the same
 * numbers of requests.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: sum 19900
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 200 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int full;
static MPI_Request request[2];
static int in;
static int out;
static int sum;

static void wait_until(int wanted)
{
    pthread_mutex_lock(&lock);
    while (full != wanted)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void set(int value)
{
    pthread_mutex_lock(&lock);
    full = value;
    pthread_cond_signal(&changed);
    pthread_mutex_unlock(&lock);
}

static void *complete(void *arg)
{
    (void)arg;
    for (int i = 0; i < ROUNDS; i++) {
        wait_until(1);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        sum += in;
        set(0);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    int rank;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&thread, NULL, complete, NULL);
    for (int i = 0; i < ROUNDS; i++) {
        wait_until(0);
        out = i;
        MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);
        set(1);
    }
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
