/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of a rank send messages to two threads of another one, with one tag. A lock in each
 * rank gives the messages one order, so each receive has exactly the length and datatype of its
 * message: blocking, nonblocking and persistent receives, and MPI_Sendrecv.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { MESSAGES = 400, LONGEST = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int next, rank;

static int count_of(int i)
{
    return 1 + i * 13 % (LONGEST - 1);
}

static MPI_Datatype type_of(int i)
{
    return i % 3 == 0 ? MPI_FLOAT : MPI_INT;
}

static void receive(int i)
{
    MPI_Request request;
    int words[LONGEST];

    switch (i % 4) {
    case 0:
        MPI_Recv(words, count_of(i), type_of(i), 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    case 1:
        MPI_Irecv(words, count_of(i), type_of(i), 0, 7, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        break;
    case 2:
        MPI_Recv_init(words, count_of(i), type_of(i), 0, 7, MPI_COMM_WORLD, &request);
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        MPI_Request_free(&request);
        break;
    default:
        MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 0, words, count_of(i), type_of(i), 0, 7,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    }
}

static void send(int i)
{
    int words[LONGEST] = {0};

    MPI_Send(words, count_of(i), type_of(i), 1, 7, MPI_COMM_WORLD);
}

static void *take_turns(void *unused)
{
    for (int i = 0; i < MESSAGES / 2; i++) {
        pthread_mutex_lock(&lock);
        if (rank == 0)
            send(next++);
        else
            receive(next++);
        pthread_mutex_unlock(&lock);
    }
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
    pthread_create(&second, NULL, take_turns, NULL);
    take_turns(NULL);
    pthread_join(second, NULL);
    MPI_Finalize();
    return 0;
}
