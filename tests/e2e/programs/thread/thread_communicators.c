/* SPDX-License-Identifier: BSD-3-Clause */
/* Each of three threads has a communicator of its own and runs collectives, wildcard receives and
 * nonblocking exchanges on it at the same time as the others.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: sum 990
 */
#include <mpi.h>
#include <pthread.h>
#include <stdio.h>

enum { THREADS = 3, ROUNDS = 30 };

struct work {
    MPI_Comm comm;
    int number;
    int sum;
};

static int gather_at_root(MPI_Comm comm, int rank, int size)
{
    int word = 1;
    int sum = 0;

    if (rank != 0) {
        MPI_Send(&word, 1, MPI_INT, 0, rank, comm);
        return 0;
    }
    for (int i = 1; i < size; i++) {
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, MPI_STATUS_IGNORE);
        sum += word;
    }
    return sum;
}

static void exchange(MPI_Comm comm, int rank, int size, int *out, int *in)
{
    MPI_Request request[3];

    MPI_Irecv(in, 1, MPI_INT, (rank + 1) % size, 99, comm, &request[0]);
    MPI_Isend(out, 1, MPI_INT, (rank + size - 1) % size, 99, comm, &request[1]);
    MPI_Ibarrier(comm, &request[2]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
}

static void *run(void *arg)
{
    struct work *work = arg;
    int rank;
    int size;
    int in = 0;
    int all = 0;

    MPI_Comm_rank(work->comm, &rank);
    MPI_Comm_size(work->comm, &size);
    for (int i = 0; i < ROUNDS; i++) {
        MPI_Allreduce(&work->number, &all, 1, MPI_INT, MPI_SUM, work->comm);
        all += gather_at_root(work->comm, rank, size);
        MPI_Barrier(work->comm);
        exchange(work->comm, rank, size, &all, &in);
        MPI_Bcast(&all, 1, MPI_INT, 0, work->comm);
        work->sum += all;
    }
    return NULL;
}

int main(int argc, char **argv)
{
    int provided;
    int rank;
    int sum = 0;
    pthread_t thread[THREADS];
    struct work work[THREADS];

    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < THREADS; i++) {
        work[i] = (struct work){.number = i + 2};
        MPI_Comm_dup(MPI_COMM_WORLD, &work[i].comm);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_create(&thread[i], NULL, run, &work[i]);
    for (int i = 0; i < THREADS; i++) {
        pthread_join(thread[i], NULL);
        MPI_Comm_free(&work[i].comm);
        sum += work[i].sum;
    }
    if (rank == 1)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
