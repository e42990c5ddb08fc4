/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives from any source, first the message of rank 1. Rank 2 sends when it has returned
 * from a call that does not need rank 0: it gets nothing of it, and the standard does not make it
 * wait. So its message could be the first one, whatever this library does.
 *
 * RANKS: 3 */
#include "collectives.h"

static void scatterv(void)
{
    const int count[3] = {1, 1, 0};

    MPI_Scatterv(many, count, places, MPI_INT, more, me < 2, MPI_INT, 0, MPI_COMM_WORLD);
}

/* Only rank 1 sends, and only to rank 2. */
static void alltoallv(void)
{
    int sent[3] = {0, 0, me == 1}, received[3] = {0, me == 2, 0};

    MPI_Alltoallv(many, sent, places, MPI_INT, more, received, places, MPI_INT, MPI_COMM_WORLD);
}

static void gather(void)
{
    MPI_Gather(one, 1, MPI_INT, many, 1, MPI_INT, 1, MPI_COMM_WORLD);
}

/* Rank 2 is the root. */
static void bcast(void)
{
    MPI_Bcast(one, 1, MPI_INT, 2, MPI_COMM_WORLD);
}

/* The group of rank 2 sends. */
static void bcast_across(void)
{
    MPI_Bcast(one, 1, MPI_INT, me == 2 ? MPI_ROOT : 0, inter);
}

int main(int argc, char **argv)
{
    begin(&argc, &argv);
    check_order(scatterv);
    check_order(alltoallv);
    check_order(gather);
    check_order(bcast);
    check_order(bcast_across);
    end();
    return 0;
}
