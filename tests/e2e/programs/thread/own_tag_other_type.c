/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of each rank, each with a tag of its own: one of the messages has another datatype
 * than its receive, and this is seen although there are two threads.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS: rank 0 sends 4 x MPI_INT .* rank 1 receives 4 x MPI_FLOAT
 * EXIT: 66
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

static int rank;

static void exchange(int tag, MPI_Datatype received)
{
    int words[4] = {0};

    if (rank == 0)
        MPI_Send(words, 4, MPI_INT, 1, tag, MPI_COMM_WORLD);
    else
        MPI_Recv(words, 4, received, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static void *work(void *unused)
{
    for (int i = 0; i < 20; i++)
        exchange(8, MPI_INT);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t second;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fputs("no MPI_THREAD_MULTIPLE\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_create(&second, NULL, work, NULL);
    for (int i = 0; i < 20; i++)
        exchange(7, MPI_FLOAT);
    pthread_join(second, NULL);
    MPI_Finalize();
    return 0;
}
