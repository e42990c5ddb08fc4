/* SPDX-License-Identifier: BSD-3-Clause */
/* One thread makes and frees a communicator, another one uses it in between.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 3
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>
#include <unistd.h>
static MPI_Comm copy;
static void *run(void *arg)
{
    MPI_Barrier(copy);
    MPI_Allreduce(MPI_IN_PLACE, arg, 1, MPI_INT, MPI_SUM, copy);
    return NULL;
}
int main(int argc, char **argv)
{
    int provided, rank, one = 1;
    pthread_t thread;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    pthread_create(&thread, NULL, run, &one);
    pthread_join(thread, NULL);
    MPI_Comm_free(&copy);
    if (rank == 0) printf("%d\n", one);
    MPI_Finalize();
    return 0;
}
