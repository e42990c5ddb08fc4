/* SPDX-License-Identifier: BSD-3-Clause */
/* A second thread makes collective calls on a communicator; when it has ended, the first thread
 * uses the communicator and frees it. The order of the calls is that of the join.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 20 rounds
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static void *work(void *argument)
{
    MPI_Comm *comm = argument;
    int one = 1;
    int sum;

    MPI_Barrier(*comm);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, *comm);
    MPI_Barrier(*comm);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    int rank;
    int rounds = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (; rounds < 20 && provided == MPI_THREAD_MULTIPLE; rounds++) {
        MPI_Comm comm;
        pthread_t thread;
        int word = rounds;

        MPI_Comm_dup(MPI_COMM_WORLD, &comm);
        if (pthread_create(&thread, NULL, work, &comm) != 0)
            MPI_Abort(MPI_COMM_WORLD, 1);
        pthread_join(thread, NULL);
        MPI_Bcast(&word, 1, MPI_INT, 0, comm);
        MPI_Comm_free(&comm);
    }
    if (rank == 0)
        printf("%d rounds\n", rounds);
    MPI_Finalize();
    return 0;
}
