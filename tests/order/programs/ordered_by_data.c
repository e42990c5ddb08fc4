/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives from any source, first the message of rank 1. Rank 2 sends when it has returned
 * from a call that needs rank 0, because it gets data of it, or because the call cannot return
 * before rank 0 has made it: so its message cannot be the first one.
 *
 * RANKS: 3 */
#include "collectives.h"

#include <mpi-ext.h>

static void scatter(void)
{
    MPI_Scatter(many, 1, MPI_INT, one, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void scatterv(void)
{
    MPI_Scatterv(many, ones, places, MPI_INT, one, 1, MPI_INT, 0, MPI_COMM_WORLD);
}

static void gatherv(void)
{
    MPI_Gatherv(one, 1, MPI_INT, many, ones, places, MPI_INT, 2, MPI_COMM_WORLD);
}

static void allgatherv(void)
{
    MPI_Allgatherv(one, 1, MPI_INT, many, ones, places, MPI_INT, MPI_COMM_WORLD);
}

/* Only rank 0 sends, and only to rank 2. */
static void alltoallv(void)
{
    int sent[3] = {0, 0, me == 0}, received[3] = {me == 2, 0, 0};

    MPI_Alltoallv(many, sent, places, MPI_INT, more, received, places, MPI_INT, MPI_COMM_WORLD);
}

static void alltoallw(void)
{
    int sent[3] = {0, 0, me == 0}, received[3] = {me == 2, 0, 0};

    MPI_Alltoallw(many, sent, places, ints, more, received, places, ints, MPI_COMM_WORLD);
}

static void reduce_scatter(void)
{
    MPI_Reduce_scatter(many, one, ones, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void exscan(void)
{
    MPI_Exscan(one, many, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void neighbor_allgather(void)
{
    MPI_Neighbor_allgather(one, 1, MPI_INT, many, 1, MPI_INT, to_two);
}

static void neighbor_alltoallv(void)
{
    MPI_Neighbor_alltoallv(many, ones, places, MPI_INT, more, ones, places, MPI_INT, to_two);
}

static void free_window(void)
{
    MPI_Win window;

    MPI_Win_create(many, sizeof(many), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    first_message();
    MPI_Win_free(&window);
}

/* Groups of one rank. */
static void create_intercomm(void)
{
    MPI_Comm own;

    if (me == 1)
        return;
    MPI_Intercomm_create(MPI_COMM_SELF, 0, MPI_COMM_WORLD, 2 - me, 9, &own);
    MPI_Comm_free(&own);
}

static void merge(void)
{
    MPI_Comm all;

    MPI_Intercomm_merge(inter, me == 2, &all);
    MPI_Comm_free(&all);
}

static void bcast_across(void)
{
    MPI_Bcast(one, 1, MPI_INT, me == 2 ? 0 : me == 0 ? MPI_ROOT : MPI_PROC_NULL, inter);
}

static void allreduce_across(void)
{
    MPI_Allreduce(one, many, 1, MPI_INT, MPI_SUM, inter);
}

static void persistent_alltoallv(void)
{
    int sent[3] = {0, 0, me == 0}, received[3] = {me == 2, 0, 0};
    MPI_Request request;

    MPIX_Alltoallv_init(many, sent, places, MPI_INT, more, received, places, MPI_INT,
                        MPI_COMM_WORLD, MPI_INFO_NULL, &request);
    for (int i = 0; i < 2; i++) {
        MPI_Start(&request);
        MPI_Wait(&request, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&request);
}

/* Started in opposite orders. */
static void persistent_barriers(void)
{
    MPI_Request request[2];

    MPIX_Barrier_init(MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPIX_Bcast_init(one, 1, MPI_INT, 1, MPI_COMM_WORLD, MPI_INFO_NULL, &request[1]);
    MPI_Start(&request[me % 2]);
    MPI_Start(&request[1 - me % 2]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
}

static MPI_Request told = MPI_REQUEST_NULL;

/* MPI_Request_get_status tells that the message is there; the request is completed later. */
static void status(void)
{
    int is_there = 0;

    if (me == 0)
        MPI_Send(one, 1, MPI_INT, 2, 99, MPI_COMM_WORLD);
    if (me == 2)
        MPI_Irecv(many, 1, MPI_INT, 0, 99, MPI_COMM_WORLD, &told);
    while (me == 2 && !is_there)
        MPI_Request_get_status(told, &is_there, MPI_STATUS_IGNORE);
}

/* Rank 1 tells rank 2 that its message was taken. */
static void synchronous_send(void)
{
    tag++;
    if (me == 1) {
        MPI_Ssend(&message, 1, MPI_INT, 0, tag, MPI_COMM_WORLD);
        MPI_Send(&message, 1, MPI_INT, 2, 98, MPI_COMM_WORLD);
    }
    if (me == 0)
        receive();
    if (me == 2)
        MPI_Recv(one, 1, MPI_INT, 1, 98, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    second_message();
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    check_order(scatter);
    check_order(scatterv);
    check_order(gatherv);
    check_order(allgatherv);
    check_order(alltoallv);
    check_order(alltoallw);
    check_order(reduce_scatter);
    check_order(exscan);
    check_order(neighbor_allgather);
    check_order(neighbor_alltoallv);
    check_order(create_intercomm);
    check_order(merge);
    check_order(bcast_across);
    check_order(allreduce_across);
    check_order(persistent_alltoallv);
    check_order(persistent_barriers);
    check_order(status);
    MPI_Wait(&told, MPI_STATUS_IGNORE);
    synchronous_send();
    free_window();
    second_message();
    end();
    return 0;
}
