/* SPDX-License-Identifier: BSD-3-Clause */
/* A second thread sends a message that is received late, and starts a receive; the first thread
 * waits for it after the join and starts further operations, for which the library's handles and
 * the tool's numbers are used again.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 3675
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <time.h>

enum { LATE = 1, EARLY = 2, ROUNDS = 50 };

struct errand {
    MPI_Request request;
    int out;
    int in;
};

static void *work(void *argument)
{
    struct errand *errand = argument;

    MPI_Send(&errand->out, 1, MPI_INT, 1, LATE, MPI_COMM_WORLD); /* buffered */
    MPI_Irecv(&errand->in, 1, MPI_INT, 1, EARLY, MPI_COMM_WORLD, &errand->request);
    return NULL;
}

static int hand_over(int round)
{
    struct errand errand = {.out = round};
    pthread_t thread;
    int sum = 0;

    if (pthread_create(&thread, NULL, work, &errand) != 0)
        MPI_Abort(MPI_COMM_WORLD, 1);
    pthread_join(thread, NULL);
    MPI_Wait(&errand.request, MPI_STATUS_IGNORE);
    sum += errand.in;
    MPI_Irecv(&errand.in, 1, MPI_INT, 1, EARLY, MPI_COMM_WORLD, &errand.request);
    MPI_Wait(&errand.request, MPI_STATUS_IGNORE);
    return sum + errand.in;
}

static void answer(int round)
{
    const struct timespec pause = {.tv_nsec = 3000000};
    MPI_Request request;
    int in;

    MPI_Isend(&round, 1, MPI_INT, 0, EARLY, MPI_COMM_WORLD, &request);
    nanosleep(&pause, NULL);
    MPI_Recv(&in, 1, MPI_INT, 0, LATE, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    in *= 2;
    MPI_Send(&in, 1, MPI_INT, 0, EARLY, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int provided;
    int rank;
    int sum = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int round = 0; round < ROUNDS && provided == MPI_THREAD_MULTIPLE; round++) {
        if (rank == 0)
            sum += hand_over(round);
        else
            answer(round);
    }
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
