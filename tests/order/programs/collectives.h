/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives two messages from any source: rank 1 sends before a call, rank 2 after it. Rank 1
 * does not wait until its message is received, as it may be the second one. */
#ifndef ORK_TESTS_ORDER_COLLECTIVES_H
#define ORK_TESTS_ORDER_COLLECTIVES_H

#include <mpi.h>

#include <unistd.h>

static int me, tag, one[1], many[3], more[3];
static const int ones[3] = {1, 1, 1}, places[3] = {0, 1, 2};
static int message;
static MPI_Request pending = MPI_REQUEST_NULL;
static MPI_Datatype ints[3];
static MPI_Comm to_two; /* rank 0 sends to rank 2 */
static MPI_Comm inter;  /* between ranks 0 and 1, and rank 2 */

static inline void receive(void)
{
    MPI_Recv(one, 1, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

static inline void first_message(void)
{
    tag++;
    if (me == 1)
        MPI_Isend(&message, 1, MPI_INT, 0, tag, MPI_COMM_WORLD, &pending);
    if (me == 0)
        receive();
}

static inline void second_message(void)
{
    MPI_Wait(&pending, MPI_STATUS_IGNORE);
    if (me == 2)
        MPI_Send(&message, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
    if (me == 0)
        receive();
}

static inline void check_order(void (*call)(void))
{
    first_message();
    call();
    second_message();
}

static inline void begin(int *argc, char ***argv)
{
    const int zero = 0, two = 2;
    MPI_Comm half;

    MPI_Init(argc, argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    for (int i = 0; i < 3; i++)
        ints[i] = MPI_INT;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, me == 2, &zero, ones, me == 0, &two, ones,
                                   MPI_INFO_NULL, 0, &to_two);
    MPI_Comm_split(MPI_COMM_WORLD, me == 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, me == 2 ? 0 : 2, 8, &inter);
    MPI_Comm_free(&half);
}

static inline void end(void)
{
    MPI_Comm_free(&to_two);
    MPI_Comm_free(&inter);
    MPI_Finalize();
}

#endif
