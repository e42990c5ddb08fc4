/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread's loop, then those of two threads, which are not folded, then one thread's again.
 *
 * RANKS: 2
 * FOLDS: yes
 * EXPECT: clean
 */
#include <mpi.h>
#include <pthread.h>
#include <stdlib.h>

enum { ALONE = 4000, TOGETHER = 400 };

static int other;

static void exchange(int tag, int times)
{
    int out = 0;
    int in;

    for (int i = 0; i < times; i++)
        MPI_Sendrecv(&out, 1, MPI_INT, other, tag, &in, 1, MPI_INT, other, tag, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
}

static void *run(void *unused)
{
    exchange(2, TOGETHER);
    return unused;
}

int main(int argc, char **argv)
{
    pthread_t thread;
    int provided;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    if (provided != MPI_THREAD_MULTIPLE)
        MPI_Abort(MPI_COMM_WORLD, EXIT_FAILURE);
    MPI_Comm_rank(MPI_COMM_WORLD, &other);
    other = 1 - other;
    exchange(1, ALONE);
    pthread_create(&thread, NULL, run, NULL);
    exchange(3, TOGETHER);
    pthread_join(thread, NULL);
    exchange(1, ALONE);
    MPI_Finalize();
    return 0;
}
