/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of a rank receive messages of different lengths and datatypes from one source with
 * one tag: each finds out what it gets, by MPI_Mprobe, or by MPI_Probe with a lock around the
 * receive. Which thread gets which message depends on the run; no message is too long.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { MESSAGES = 300, LONGEST = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static MPI_Datatype type_of(int count)
{
    return count % 2 == 0 ? MPI_INT : MPI_FLOAT;
}

/* The first message that is found; its length tells its datatype. */
static void receive_matched(int tag)
{
    int words[LONGEST], bytes;
    MPI_Message message;
    MPI_Status status;

    MPI_Mprobe(0, tag, MPI_COMM_WORLD, &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    MPI_Mrecv(words, bytes / 4, type_of(bytes / 4), &message, MPI_STATUS_IGNORE);
}

static void receive_probed(int tag)
{
    int words[LONGEST], bytes;
    MPI_Status status;

    pthread_mutex_lock(&lock);
    MPI_Probe(0, tag, MPI_COMM_WORLD, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    MPI_Recv(words, bytes / 4, type_of(bytes / 4), 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    pthread_mutex_unlock(&lock);
}

static void *receive_half(void *unused)
{
    for (int i = 0; i < MESSAGES / 2; i++) {
        receive_matched(1);
        receive_probed(2);
    }
    return unused;
}

static void receive_all(void)
{
    pthread_t second;

    pthread_create(&second, NULL, receive_half, NULL);
    receive_half(NULL);
    pthread_join(second, NULL);
}

static void send_all(void)
{
    int words[LONGEST] = {0};

    for (int i = 0; i < MESSAGES; i++) {
        int count = 1 + i * 7 % (LONGEST - 1);
        MPI_Send(words, count, type_of(count), 1, 1, MPI_COMM_WORLD);
        MPI_Send(words, count, type_of(count), 1, 2, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int provided, rank;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided < MPI_THREAD_MULTIPLE) {
        fputs("no MPI_THREAD_MULTIPLE\n", stderr);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        send_all();
    else
        receive_all();
    MPI_Finalize();
    return 0;
}
