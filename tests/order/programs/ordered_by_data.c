/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives from any source, first the message of rank 1. Rank 2 sends when it has returned
 * from a call that needs rank 0, because it gets data of it, or because the call cannot return
 * before rank 0 has made it: so its message cannot be the first one.
 *
 * RANKS: 3 */
#include "collectives.h"

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
    free_window();
    second_message();
    end();
    return 0;
}
