/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of one stream, some of them not received, and of others: each is told apart. Rank 2
 * takes any message.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv LAST
 * MESSAGES: 0 FIRST > 1 TAKEN; 0 SECOND > 1 TAKEN; 0 OTHER > 2 ANY; 1 BACK > 0 GOT
 * PENDING: 0 THIRD; 0 LAST; 1 LAST; 2 LAST
 */
#include <mpi.h>

static int word;

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Isend(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request); /* FIRST */
        MPI_Request_free(&request);
        MPI_Isend(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request); /* SECOND */
        MPI_Request_free(&request);
        MPI_Isend(&word, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request); /* THIRD */
        MPI_Request_free(&request);
        MPI_Send(&word, 1, MPI_INT, 2, 4, MPI_COMM_WORLD);                    /* OTHER */
        MPI_Recv(&word, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* GOT */
        MPI_Recv(&word, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LAST */
    } else if (rank == 1) {
        for (int i = 0; i < 2; i++)
            MPI_Recv(&word, 1, MPI_INT, 0, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* TAKEN */
        MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);                        /* BACK */
        MPI_Recv(&word, 1, MPI_INT, 0, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);     /* LAST */
    } else {
        MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* ANY */
        MPI_Recv(&word, 1, MPI_INT, 0, 8, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* LAST */
    }
    MPI_Finalize();
    return 0;
}
