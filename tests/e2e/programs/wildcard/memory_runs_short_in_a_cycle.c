/* SPDX-License-Identifier: BSD-3-Clause */
/* As memory_runs_short.c, but ranks 0 and 2 send to each other first, and the library buffers that.
 * The tool finds it when memory is short, while it does not know yet what rank 1 received.
 *
 * RANKS: 3
 * OPTIONS: --must:queue-limit 1 --must:fold off
 * EXPECT: deadlock
 * CLASS: interleaving
 * DEADLOCKED: 0 2
 * ROOTS: {0,2}
 * CALL: 0 MPI_Send SENDS
 * CALL: 2 MPI_Send SENDS
 * SAYS: Memory ran short before the tool knew which messages these receives took\.
 */
#include "../turn.h"

#include <mpi.h>

enum { ROUNDS = 20000, AT_ONCE = 100 };

/* A first message over a network may need its receiver's help. */
static void connect_all(int rank)
{
    int value = 0;

    for (int other = 0; rank == 1 && other <= 2; other += 2)
        MPI_Recv(&value, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 1)
        MPI_Send(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
}

static void exchange(int peer)
{
    int value = 0;

    for (int i = 0; i < AT_ONCE; i++)
        MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD); /* SENDS */
    for (int i = 0; i < AT_ONCE; i++)
        MPI_Recv(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank, value = 0;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    connect_all(rank);
    if (rank == 1) {
        MPI_Irecv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 5, MPI_COMM_WORLD, &request);
        turn_wait("done"); /* the tool may know of what the others did */
        usleep(500000);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    } else {
        if (rank == 0)
            MPI_Send(&value, 1, MPI_INT, 1, 5, MPI_COMM_WORLD);
        for (int i = 0; i < ROUNDS; i += AT_ONCE)
            exchange(2 - rank);
        if (rank == 0)
            turn_pass("done");
    }
    MPI_Finalize();
    return 0;
}
