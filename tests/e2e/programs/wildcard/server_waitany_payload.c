/* SPDX-License-Identifier: BSD-3-Clause */
/* A server keeps several wildcard receives; who asks says so in the message, so no status is looked
 * at.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 45
 */
#include <mpi.h>
#include <stdio.h>

enum { SLOTS = 2, ROUNDS = 15 };

static void serve(int requests)
{
    MPI_Request request[SLOTS];
    int in[SLOTS];
    int posted = 0, served = 0, slot;

    for (slot = 0; slot < SLOTS; slot++, posted++)
        MPI_Irecv(&in[slot], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[slot]);
    for (; served < requests; served++) {
        MPI_Waitany(SLOTS, request, &slot, MPI_STATUS_IGNORE);
        MPI_Send(&served, 1, MPI_INT, in[slot], 1, MPI_COMM_WORLD);
        if (posted++ < requests)
            MPI_Irecv(&in[slot], 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[slot]);
    }
    printf("%d\n", served);
}

int main(int argc, char **argv)
{
    int rank, size, in;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank == 0)
        serve(ROUNDS * (size - 1));
    for (int i = 0; rank > 0 && i < ROUNDS; i++) {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 0, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
