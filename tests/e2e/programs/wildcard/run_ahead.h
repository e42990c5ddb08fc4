/* SPDX-License-Identifier: BSD-3-Clause */
/* Three ranks: ranks 0 and 2 exchange many messages, while rank 1 has a receive from any source
 * under way. So the tool has to keep all of their calls until it knows what rank 1 received. */
#ifndef ORK_E2E_RUN_AHEAD_H
#define ORK_E2E_RUN_AHEAD_H

#include "../turn.h"

#include <mpi.h>

enum { ROUNDS = 20000, AT_ONCE = 500 };

/* A first message over a network may need its receiver's help. */
static inline void connect_all(int rank)
{
    int value = 0;

    for (int other = 0; rank == 1 && other <= 2; other += 2)
        MPI_Recv(&value, 1, MPI_INT, other, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 1)
        MPI_Send(&value, 1, MPI_INT, 1, 9, MPI_COMM_WORLD);
}

/* Rank 1 waits here with its receive. */
static inline void wait_for_exchange(void)
{
    turn_wait("done");
    usleep(500000); /* the tool may know of what the others did */
}

static inline void send_many(int peer)
{
    int value = 0;

    for (int i = 0; i < AT_ONCE; i++)
        MPI_Send(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD);
}

static inline void receive_many(int peer)
{
    int value;

    for (int i = 0; i < AT_ONCE; i++)
        MPI_Recv(&value, 1, MPI_INT, peer, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

/* Ranks 0 and 2. `both_first`: both send before they receive. RATIONALE: ranks that wait for each
 * other after each message take minutes beside other work. */
static inline void run_ahead(int rank, int both_first)
{
    for (int i = 0; i < ROUNDS; i += AT_ONCE) {
        if (rank == 0 || both_first)
            send_many(2 - rank);
        receive_many(2 - rank);
        if (rank == 2 && !both_first)
            send_many(0);
    }
    if (rank == 0)
        turn_pass("done");
}

#endif
