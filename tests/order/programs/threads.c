/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of each rank, each with its communicator: rank 0's receive from anybody, blocking
 * ones and tests. The second thread makes its first call after the first thread's.
 *
 * RANKS: 3 */
#include "digest.h"

#include <pthread.h>

enum { ROUNDS = 6 };

struct work {
    MPI_Comm comm;
    int tests;
    struct digest digest;
};

static void receive(struct work *w)
{
    MPI_Request request;
    MPI_Status status;
    int got, flag = 0, vain = 0;

    if (!w->tests) {
        MPI_Recv(&got, 1, MPI_INT, MPI_ANY_SOURCE, 0, w->comm, &status);
    } else {
        MPI_Irecv(&got, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, w->comm, &request);
        for (; !flag; vain++) {
            MPI_Test(&request, &flag, &status);
            usleep(50);
        }
    }
    digest_add(&w->digest, status.MPI_SOURCE);
    digest_add(&w->digest, vain);
}

static void *run(void *argument)
{
    struct work *w = argument;

    for (int i = 0; i < ROUNDS * (me == 0 ? ranks - 1 : 1); i++) {
        pause_perhaps();
        if (me == 0)
            receive(w);
        else
            MPI_Send(&i, 1, MPI_INT, 0, 0, w->comm);
    }
    return NULL;
}

int main(int argc, char **argv)
{
    struct work w[2] = {{.tests = 0}, {.tests = 1}};
    pthread_t thread;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, 9);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < 2; i++)
        MPI_Comm_dup(MPI_COMM_WORLD, &w[i].comm);
    pthread_create(&thread, NULL, run, &w[1]);
    run(&w[0]);
    pthread_join(thread, NULL);
    for (int i = 0; i < 2; i++) {
        saw((int64_t)w[i].digest.value);
        MPI_Comm_free(&w[i].comm);
    }
    return end();
}
