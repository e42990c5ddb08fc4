/* SPDX-License-Identifier: BSD-3-Clause */
/* Threads make the first call of MPI at the same time, and the library is chosen in it. */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 16 };

static pthread_barrier_t start;

static void *ask(void *flag)
{
    pthread_barrier_wait(&start);
    MPI_Initialized(flag);
    return NULL;
}

int main(int argc, char **argv)
{
    pthread_t thread[THREADS];
    int flag[THREADS], count = 0;

    pthread_barrier_init(&start, NULL, THREADS);
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, ask, &flag[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        count += flag[i];
    }
    MPI_Init(&argc, &argv);
    MPI_Barrier(MPI_COMM_WORLD);
    printf("%d of %d saw MPI before\n", count, THREADS);
    MPI_Finalize();
    return 0;
}
