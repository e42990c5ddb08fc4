/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread of rank 0 waits for a message of rank 1, which is in MPI_Finalize: no thread of rank 1
 * sends any more. What the other thread of rank 0 does, which sleeps again and again, changes
 * nothing.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * MAYBE: buffer-overlap
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Finalize END
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>

static void *doze(void *unused)
{
    int word = 7;

    MPI_Sendrecv(&word, 1, MPI_INT, 0, 1, &word, 1, MPI_INT, 0, 1, MPI_COMM_SELF,
                 MPI_STATUS_IGNORE);
    for (;;)
        sleep(1);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t second;
    int provided, rank, word = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fputs("no MPI_THREAD_MULTIPLE\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        pthread_create(&second, NULL, doze, NULL);
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    }
    MPI_Finalize(); /* END */
    return 0;
}
