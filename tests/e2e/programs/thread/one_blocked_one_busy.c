/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread of rank 0 waits for rank 1, which waits for a message that another thread of rank
 * 0 sends later: no deadlock.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 1
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *second(void *arg)
{
    int out = 2;

    (void)arg;
    usleep(150000);
    MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    return NULL;
}

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 77);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_t thread;

    if (rank == 0) {
        pthread_create(&thread, NULL, second, NULL);
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        pthread_join(thread, NULL);
        printf("%d\n", in);
    } else {
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
