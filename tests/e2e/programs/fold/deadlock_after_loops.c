/* SPDX-License-Identifier: BSD-3-Clause */
/* Two loops whose iterations are folded; then each rank receives before it sends.
 *
 * RANKS: 2
 * FOLDS: yes
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { ITERATIONS = 6000, MESSAGES = 4 };

static void exchange(int partner)
{
    MPI_Request request[2 * MESSAGES];
    int in[MESSAGES];
    int out[MESSAGES] = {0};

    for (int i = 0; i < MESSAGES; i++) {
        MPI_Irecv(&in[i], 1, MPI_INT, partner, i, MPI_COMM_WORLD, &request[i]);
        MPI_Isend(&out[i], 1, MPI_INT, partner, i, MPI_COMM_WORLD, &request[MESSAGES + i]);
    }
    MPI_Waitall(2 * MESSAGES, request, MPI_STATUSES_IGNORE);
}

static void bounce(int rank, int partner)
{
    int ball = 0;

    if (rank == 0)
        MPI_Send(&ball, 1, MPI_INT, partner, 0, MPI_COMM_WORLD);
    MPI_Recv(&ball, 1, MPI_INT, partner, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_Send(&ball, 1, MPI_INT, partner, 0, MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int rank;
    int ball = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < ITERATIONS; i++)
        exchange(1 - rank);
    MPI_Barrier(MPI_COMM_WORLD);
    for (int i = 0; i < ITERATIONS; i++)
        bounce(rank, 1 - rank);
    MPI_Recv(&ball, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Send(&ball, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
