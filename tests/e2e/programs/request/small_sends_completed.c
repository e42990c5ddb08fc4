/* SPDX-License-Identifier: BSD-3-Clause */
/* As dropped_small_sends.c; but each request is completed or freed. The variable is overwritten; an
 * array has copies of the handles; MPI_Waitsome or a Test complete some, in another order; and
 * some are freed at once.
 *
 * RANKS: 2
 * EXPECT: clean
 * EXIT: 0
 */
#include <mpi.h>

enum { MANY = 50 };

static int word = 7, in[MANY], other_in[MANY];

static void copies(int other)
{
    MPI_Request request, copy[2 * MANY];
    int done = 0, count, index[2 * MANY];

    for (int i = 0; i < MANY; i++) {
        MPI_Isend(&word, 1, MPI_INT, other, 0, MPI_COMM_WORLD, &request);
        copy[MANY + i] = request;
        MPI_Irecv(&in[i], 1, MPI_INT, i % 2 == 0 ? MPI_PROC_NULL : other, 1, MPI_COMM_WORLD,
                  &request);
        copy[i] = request;
    }
    for (int i = 0; i < MANY; i++) {
        MPI_Recv(&other_in[i], 1, MPI_INT, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        if (i % 2 == 1)
            MPI_Send(&word, 1, MPI_INT, other, 1, MPI_COMM_WORLD);
    }
    while (done < 2 * MANY) {
        MPI_Waitsome(2 * MANY, copy, &count, index, MPI_STATUSES_IGNORE);
        done += count;
    }
}

static void freed(int other)
{
    MPI_Request request[MANY];
    int done = 0;

    for (int i = 0; i < MANY; i++) {
        MPI_Isend(&word, 1, MPI_INT, other, 2, MPI_COMM_WORLD, &request[i]);
        if (i % 3 == 0)
            MPI_Request_free(&request[i]);
    }
    for (int i = 0; i < MANY; i++)
        MPI_Recv(&in[i], 1, MPI_INT, other, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    while (!done)
        MPI_Testall(MANY, request, &done, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    copies(1 - rank);
    freed(1 - rank);
    MPI_Finalize();
    return 0;
}
