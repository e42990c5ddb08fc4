/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 loses the requests of its sends, and releases the buffers when a reply has told it that
 * the messages were received. That it never completes the requests is the mistake, and not that it
 * releases the buffers: a reply may say that an operation is over (MPI-3.1 section 3.7.3).
 *
 * RANKS: 2
 * EXPECT: clean
 * MAYBE: request-leak
 * EXIT: 0 66
 */
#include <mpi.h>
#include <stdlib.h>

enum { LONG = 100000 };

static int rank;

static void lose(int words)
{
    int *out = calloc((size_t)words, sizeof(*out)), reply = 0;
    MPI_Request request;

    if (rank == 0) {
        MPI_Isend(out, words, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
        MPI_Recv(&reply, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(out, words, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&reply, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    }
    free(out);
}

int main(int argc, char **argv)
{
    int word = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    lose(10);
    lose(10);
    lose(LONG);
    if (rank == 0) { /* the handle of this one may be that of the others */
        MPI_Isend(&word, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&word, 1, MPI_INT, 0, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
