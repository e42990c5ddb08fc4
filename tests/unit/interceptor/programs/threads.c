/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks with two threads each under MPI_THREAD_MULTIPLE, each thread with its own communicator.
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 1500 };
static MPI_Comm comm[2];
static int rank;

static void *work(void *which)
{
    MPI_Comm c = comm[*(const int *)which];
    int x = 1, y = 0;

    for (int i = 0; i < ROUNDS; i++) {
        MPI_Request q[2];
        MPI_Irecv(&y, 1, MPI_INT, MPI_ANY_SOURCE, i, c, q);
        MPI_Isend(&x, 1, MPI_INT, 1 - rank, i, c, q + 1);
        MPI_Waitall(2, q, MPI_STATUSES_IGNORE);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int level, which[2] = {0, 1};
    pthread_t other;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (level != MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 4);
    MPI_Comm_dup(MPI_COMM_WORLD, comm);
    MPI_Comm_dup(MPI_COMM_WORLD, comm + 1);
    pthread_create(&other, NULL, work, which + 1);
    work(which);
    pthread_join(other, NULL);
    printf("rank %d is through\n", rank);
    MPI_Finalize();
    return 0;
}
