/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread starts wildcard receives and goes on with other calls, at which the tool may ask for
 * them, while another thread waits for them.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: sum 190
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = 20, EACH = 10, OTHER = 99 };

static MPI_Request request[ROUNDS * EACH];
static int in[ROUNDS * EACH];
static int rank;
static pthread_barrier_t turn;

static void take(int round)
{
    int index = 0;

    for (int i = 0; i < EACH; i++) {
        if (i % 3 == 0)
            MPI_Waitany(EACH, &request[round * EACH], &index, MPI_STATUS_IGNORE);
        else if (i % 3 == 1)
            MPI_Wait(&request[round * EACH + EACH - 1], MPI_STATUS_IGNORE);
    }
    MPI_Waitall(EACH, &request[round * EACH], MPI_STATUSES_IGNORE);
}

static void *receiver(void *argument)
{
    for (int round = 0; round < ROUNDS; round++) {
        pthread_barrier_wait(&turn);
        take(round);
    }
    return argument;
}

static void exchange(int tag)
{
    int out = rank;
    int got = -1;

    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, tag, &got, 1, MPI_INT, 1 - rank, tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (got != 1 - rank)
        MPI_Abort(MPI_COMM_WORLD, 3);
}

static void run(void)
{
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < EACH; i++)
            MPI_Irecv(&in[round * EACH + i], 1, MPI_INT, MPI_ANY_SOURCE, round, MPI_COMM_WORLD,
                      &request[round * EACH + i]);
        pthread_barrier_wait(&turn);
        for (int i = 0; i < EACH; i++) {
            exchange(OTHER);
            MPI_Send(&round, 1, MPI_INT, 1 - rank, round, MPI_COMM_WORLD);
        }
    }
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int level;
    int sum = 0;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &level);
    if (level < MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 2);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    pthread_barrier_init(&turn, NULL, 2);
    pthread_create(&thread, NULL, receiver, NULL);
    run();
    pthread_join(thread, NULL);
    for (int i = 0; i < ROUNDS * EACH; i++)
        sum += in[i];
    if (rank == 0)
        printf("sum %d\n", sum / EACH);
    MPI_Finalize();
    return 0;
}
