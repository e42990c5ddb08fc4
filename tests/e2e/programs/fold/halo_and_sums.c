/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid of processes: each iteration exchanges with the neighbours in a row and in a column, and
 * sums over the row and over all. At the end, one message is left.
 *
 * RANKS: 4
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: lost-message warning
 * SAYS_LINE: LEFT
 */
#include <mpi.h>

enum { ITERATIONS = 1000 };

static MPI_Comm row;
static MPI_Comm column;

static void exchange(MPI_Comm comm, int me, int tag)
{
    MPI_Request request[2];
    int out = 1;
    int in;

    MPI_Irecv(&in, 1, MPI_INT, 1 - me, tag, comm, &request[0]);
    MPI_Isend(&out, 1, MPI_INT, 1 - me, tag, comm, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;
    int out = 1;
    int sum;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
    for (int i = 0; i < ITERATIONS; i++) {
        exchange(row, rank % 2, 1);
        exchange(column, rank / 2, 2);
        exchange(row, rank % 2, 3);
        MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, row);
        if (i % 4 == 3)
            MPI_Allreduce(&out, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    }
    if (rank == 2) {
        MPI_Isend(&out, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, &request); /* LEFT */
        MPI_Request_free(&request);
    }
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    MPI_Finalize();
    return 0;
}
