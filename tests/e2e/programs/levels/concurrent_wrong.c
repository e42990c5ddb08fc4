/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads are in collective calls on one communicator at the same time; two threads wait for
 * one request (MPI-3.1 section 12.4.3). The level is MPI_THREAD_MULTIPLE. The second thread only
 * starts a nonblocking barrier, and only tests the request, so that the program ends.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: thread-concurrency error
 * SAYS: MPI_Ibarrier .* of rank 0 is made while another thread is in MPI_Barrier .concurrent_wrong.c
 * SAYS: MPI_Test .* of rank 0 is to complete a request for which another thread is in MPI_Wait
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

enum { PAUSE_US = 300000 };

static MPI_Request shared;
static atomic_int stage; /* the main thread is about to make its barrier, its wait */

static void follow_to(int wanted)
{
    while (atomic_load(&stage) < wanted)
        usleep(1000);
    usleep(PAUSE_US);
}

static void *disturb(void *unused)
{
    int flag = 0, word = 0;
    MPI_Request own, copy;

    (void)unused;
    follow_to(1);
    MPI_Ibarrier(MPI_COMM_WORLD, &own); /* HERE */
    MPI_Send(&word, 1, MPI_INT, 1, 1, MPI_COMM_WORLD);
    MPI_Wait(&own, MPI_STATUS_IGNORE);
    follow_to(2);
    copy = shared;
    MPI_Test(&copy, &flag, MPI_STATUS_IGNORE); /* HERE */
    MPI_Send(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD);
    return NULL;
}

static void be_disturbed(void)
{
    int word;
    pthread_t thread;

    MPI_Irecv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &shared);
    pthread_create(&thread, NULL, disturb, NULL);
    atomic_store(&stage, 1);
    MPI_Barrier(MPI_COMM_WORLD); /* HERE */
    atomic_store(&stage, 2);
    MPI_Wait(&shared, MPI_STATUS_IGNORE); /* HERE */
    pthread_join(thread, NULL);
}

int main(int argc, char **argv)
{
    int rank, provided, word = 0;
    MPI_Request request;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        be_disturbed();
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Ibarrier(MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Recv(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
