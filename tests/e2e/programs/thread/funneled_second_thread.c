/* SPDX-License-Identifier: BSD-3-Clause */
/* A thread that makes no MPI calls computes while the first one communicates.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 2000
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *count(void *arg)
{
    int *total = arg;

    for (int i = 0; i < 1000; i++)
        *total += i % 3;
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_t thread;

    pthread_create(&thread, NULL, count, &out);
    MPI_Barrier(MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
