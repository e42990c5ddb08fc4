/* SPDX-License-Identifier: BSD-3-Clause */
/* Two threads of rank 0 receive from any source: their choices cannot be told apart in another run.
 *
 * RANKS: 3
 * EXPLORE: 1 order, 1 ended, incomplete, exit 0
 * SAYS: thread */
#include "small.h"

#include <pthread.h>

static void *receive(void *tag)
{
    int value;

    for (int i = 1; i < ranks; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, *(int *)tag, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    return NULL;
}

int main(int argc, char **argv)
{
    static int tag[] = {0, 1};
    pthread_t other;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (me == 0) {
        pthread_create(&other, NULL, receive, &tag[1]);
        receive(&tag[0]);
        pthread_join(other, NULL);
    } else {
        MPI_Send(&me, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Send(&me, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    return end();
}
