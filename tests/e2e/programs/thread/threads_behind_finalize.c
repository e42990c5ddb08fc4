/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of each rank work on one communicator with tags of their own: one probes for the
 * length of what comes from anybody, the other has persistent requests.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: probed 820, persistent 780
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { PROBED = 1, PERSISTENT = 2, ROUNDS = 40 };

static int peer;
static int probed;
static int persistent;

static void *probe(void *arg)
{
    int words[ROUNDS] = {0};
    int count;
    MPI_Status status;
    MPI_Message message;
    MPI_Request request;

    (void)arg;
    for (int i = 1; i <= ROUNDS; i++) {
        MPI_Isend(words, i, MPI_INT, peer, PROBED, MPI_COMM_WORLD, &request);
        MPI_Mprobe(MPI_ANY_SOURCE, PROBED, MPI_COMM_WORLD, &message, &status);
        MPI_Get_count(&status, MPI_INT, &count);
        int in[ROUNDS];

        MPI_Mrecv(in, count, MPI_INT, &message, MPI_STATUS_IGNORE);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
        probed += count;
    }
    return NULL;
}

static void *persist(void *arg)
{
    int in;
    int out = 0;
    MPI_Request request[2];

    (void)arg;
    MPI_Send_init(&out, 1, MPI_INT, peer, PERSISTENT, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(&in, 1, MPI_INT, peer, PERSISTENT, MPI_COMM_WORLD, &request[1]);
    for (out = 0; out < ROUNDS; out++) {
        MPI_Startall(2, request);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        persistent += in;
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    int rank;
    pthread_t thread[2];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    peer = 1 - rank;
    pthread_create(&thread[0], NULL, probe, NULL);
    pthread_create(&thread[1], NULL, persist, NULL);
    pthread_join(thread[0], NULL);
    pthread_join(thread[1], NULL);
    if (rank == 0)
        printf("probed %d, persistent %d\n", probed, persistent);
    MPI_Finalize();
    return 0;
}
