/* SPDX-License-Identifier: BSD-3-Clause */
/* All threads of an OpenMP loop load from the buffer of a pending receive (MPI-3.1 section 3.7.2).
 * Only the first thread calls MPI, while others work on the neighbouring memory: that is right.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-access error
 * SAYS: the load \(threads.c:\d+\) of rank 1 reads .* of a buffer that the pending MPI_Irecv \(threads.c:\d+\) writes
 * REPORTS: the load .* writes, the first of 2,?000 times
 * SAYS: orknot: 1 finding \(1 error\)
 * SAYS_LINE: HERE
 * EXIT: 66
 */
#include <mpi.h>
#include <stdio.h>

enum { INTS = 2000 };

static int words[3 * INTS];

static int sum_of_received(void)
{
    int sum = 0;

#pragma omp parallel for num_threads(4) reduction(+ : sum)
    for (int i = 0; i < INTS; i++)
        sum += words[i]; /* HERE */
    return sum;
}

static void exchange(int rank)
{
    MPI_Request request;

    MPI_Irecv(words, INTS, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request);
    if (rank == 1 && sum_of_received() != 0)
        puts("the message is early");
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(words + INTS, INTS, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void work_while_the_first_one_communicates(int rank)
{
#pragma omp parallel for num_threads(4) schedule(static)
    for (int t = 0; t < 4; t++) {
        for (int i = 0; i < INTS; i++) {
            if (t == 0)
                MPI_Sendrecv(words, 1, MPI_INT, 1 - rank, i, words + INTS, 1, MPI_INT, 1 - rank, i,
                             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            else
                words[2 * INTS + t * 64 + i % 64] = i;
        }
    }
}

int main(int argc, char **argv)
{
    int rank, level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &level);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    exchange(rank);
    work_while_the_first_one_communicates(rank);
    MPI_Finalize();
    return 0;
}
