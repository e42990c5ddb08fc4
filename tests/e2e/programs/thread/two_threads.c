/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of each rank exchange messages at the same time, each with a tag of its own.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 1500
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void exchange(int peer, int tag, int *sum)
{
    int in = 0;
    int out = 3;

    MPI_Sendrecv(&out, 1, MPI_INT, peer, tag, &in, 1, MPI_INT, peer, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    *sum += in;
}

static void *second(void *arg)
{
    int sum = 0;

    for (int i = 0; i < 500; i++)
        exchange(*(int *)arg, 2, &sum);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int provided;
    int sum = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 77);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int peer = 1 - rank;
    pthread_t thread;

    pthread_create(&thread, NULL, second, &peer);
    for (int i = 0; i < 500; i++)
        exchange(peer, 1, &sum);
    pthread_join(thread, NULL);
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
