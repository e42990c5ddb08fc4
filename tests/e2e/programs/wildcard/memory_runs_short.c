/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 posts a receive from anybody and computes; what rank 0 does after its message to it can
 * only be followed once that match is known. With little memory it is assumed, rightly.
 *
 * RANKS: 3
 * OPTIONS: --must:queue-limit 1 --must:fold off
 * EXPECT: clean
 * SAYS: memory ran short
 */
#include "../turn.h"

#include <mpi.h>

enum { ROUNDS = 20000, AT_ONCE = 500 };

/* A first message over a network may need its receiver's help. */
static void connect_all(int rank)
{
    int value = 0;

    for (int other = 0; rank == 1 && other <= 2; other += 2)
        MPI_Recv(&value, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 1)
        MPI_Send(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
}

static void send_many(int peer)
{
    int value = 0;

    for (int i = 0; i < AT_ONCE; i++)
        MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
}

static void receive_many(int peer)
{
    int value;

    for (int i = 0; i < AT_ONCE; i++)
        MPI_Recv(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* RATIONALE: ranks that wait for each other after each message take minutes beside other work. */
static void exchange(int rank)
{
    if (rank == 0)
        send_many(2);
    receive_many(2 - rank);
    if (rank == 2)
        send_many(0);
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
            exchange(rank);
        if (rank == 0)
            turn_pass("done");
    }
    MPI_Finalize();
    return 0;
}
