/* SPDX-License-Identifier: BSD-3-Clause */
/* A server keeps a wildcard receive for each kind of request, and answers whoever MPI_Waitany
 * names.
 *
 * RANKS: 5
 * EXPECT: clean
 * OUTPUT: 60
 */
#include <mpi.h>
#include <stdio.h>

enum { KINDS = 3, ROUNDS = 15 };

static void serve(int requests)
{
    MPI_Request request[KINDS];
    MPI_Status status;
    int in[KINDS];
    int served = 0, kind;

    for (kind = 0; kind < KINDS; kind++)
        MPI_Irecv(&in[kind], 1, MPI_INT, MPI_ANY_SOURCE, kind, MPI_COMM_WORLD, &request[kind]);
    for (; served < requests; served++) {
        MPI_Waitany(KINDS, request, &kind, &status);
        MPI_Send(&in[kind], 1, MPI_INT, status.MPI_SOURCE, KINDS, MPI_COMM_WORLD);
        MPI_Irecv(&in[kind], 1, MPI_INT, MPI_ANY_SOURCE, kind, MPI_COMM_WORLD, &request[kind]);
    }
    for (kind = 0; kind < KINDS; kind++)
        MPI_Cancel(&request[kind]);
    MPI_Waitall(KINDS, request, MPI_STATUSES_IGNORE);
    printf("%d\n", served);
}

int main(int argc, char **argv)
{
    int rank, size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        serve(ROUNDS * (size - 1));
    for (int i = 0; rank > 0 && i < ROUNDS; i++) {
        MPI_Send(&i, 1, MPI_INT, 0, (i + rank) % KINDS, MPI_COMM_WORLD);
        MPI_Recv(&i, 1, MPI_INT, 0, KINDS, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
