/* SPDX-License-Identifier: BSD-3-Clause */
/* Loops of nonblocking collective calls, with messages before they are complete. Late in a loop, a
 * rank receives into the buffer of a pending reduction, and reduces into the buffer of a receive of
 * each iteration; at the end, rank 0 waits for a barrier that rank 1 does not call.
 *
 * RANKS: 2
 * FOLDS: yes
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Wait BARRIER
 * CALL: 1 MPI_Recv MESSAGE
 * FINDING: deadlock error
 * FINDING: buffer-overlap error
 * SAYS_LINE: OVERLAP
 * SAYS_LINE: EACH
 */
#include <mpi.h>

enum { ITERATIONS = 1200, LATE = ITERATIONS - 300 };

static int counts[2] = {1, 2}, places[2] = {0, 1};
static double mine[3], all[3], sum[3], received[3];
static double *const into[2] = {sum, received}; /* so that there is one call */
static int rank, in, out;

static void gather(void)
{
    MPI_Request request[3];

    MPI_Iallgatherv(mine, counts[rank], MPI_DOUBLE, all, counts, places, MPI_DOUBLE, MPI_COMM_WORLD,
                    &request[0]);
    MPI_Irecv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Isend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
}

static void add(int i)
{
    MPI_Request request;

    MPI_Iallreduce(mine, sum, 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
    if (i == LATE)
        MPI_Sendrecv(&rank, 1, MPI_INT, 1 - rank, 8, &sum[1], 1, MPI_INT, 1 - rank, 8, /* OVERLAP */
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static void add_and_exchange(int i)
{
    MPI_Request reduction, request[2];

    MPI_Iallreduce(mine, into[i == LATE], 3, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &reduction);
    MPI_Irecv(received, 3, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &request[0]); /* EACH */
    MPI_Isend(all, 3, MPI_DOUBLE, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Wait(&reduction, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ITERATIONS; i++)
        gather();
    for (int i = 0; i < ITERATIONS; i++)
        add(i);
    for (int i = 0; i < ITERATIONS; i++)
        add_and_exchange(i);
    for (int i = 0; i < ITERATIONS; i++)
        gather();
    if (rank == 1)
        MPI_Recv(&in, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* MESSAGE */
    MPI_Ibarrier(MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE); /* BARRIER */
    MPI_Finalize();
    return 0;
}
