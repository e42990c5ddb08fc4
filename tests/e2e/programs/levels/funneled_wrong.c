/* SPDX-License-Identifier: BSD-3-Clause */
/* A second thread calls MPI, but the level is MPI_THREAD_FUNNELED (MPI-3.1 section 12.4.3). No two
 * calls are made at the same time.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: thread-level error
 * SAYS: MPI_Send \(funneled_wrong.c:\d+\) of rank 0 is made by another thread than that of MPI_Init
 * SAYS: MPI_Recv \(funneled_wrong.c:\d+\) of rank 1 is made by another thread .*, 3 times
 * SAYS_LINE: HERE
 * OUTPUT: received 3
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int rank, sum;

static void *communicate(void *unused)
{
    int word = 1;

    (void)unused;
    for (int i = 0; i < 3; i++) {
        if (rank == 0)
            MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD); /* HERE */
        else
            MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        sum += word;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&thread, NULL, communicate, NULL);
    pthread_join(thread, NULL);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        printf("received %d\n", sum);
    MPI_Finalize();
    return 0;
}
