/* SPDX-License-Identifier: BSD-3-Clause */
/* With MPI_THREAD_MULTIPLE, threads are in collective calls on different communicators, wait for
 * different requests, and look with MPI_Request_get_status at one for which another thread waits.
 * One thread waits for a barrier that was started before another one makes a collective call on the
 * communicator (MPI-3.1 section 12.4.3).
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: done
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { ROUNDS = 50 };

static int rank;
static MPI_Comm second;
static MPI_Request barrier, receive;

static void *communicate(void *unused)
{
    int out = 1, in, flag;

    (void)unused;
    MPI_Wait(&barrier, MPI_STATUS_IGNORE);
    MPI_Request_get_status(receive, &flag, MPI_STATUS_IGNORE);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, second);
        MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 1, &in, 1, MPI_INT, 1 - rank, 1, second,
                     MPI_STATUS_IGNORE);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided, out = 1, in, late;
    pthread_t thread;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &second);
    MPI_Irecv(&late, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, &receive);
    MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
    pthread_create(&thread, NULL, communicate, NULL);
    for (int i = 0; i < ROUNDS; i++)
        MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD);
    pthread_join(thread, NULL);
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    MPI_Comm_free(&second);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
