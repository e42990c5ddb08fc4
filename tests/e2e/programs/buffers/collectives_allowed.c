/* SPDX-License-Identifier: BSD-3-Clause */
/* Collective calls whose buffers look wrong and are right: MPI_IN_PLACE; buffers that are not
 * significant on this rank (the receive buffer of MPI_Gather and MPI_Reduce except at the root, the
 * send buffer of MPI_Scatter except at the root, the receive buffer of MPI_Exscan on rank 0); empty
 * blocks; blocks in descending order; send blocks that overlap; the root of a broadcast reads what
 * it is sending.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

enum { RANKS = 3, INTS = 4 };

static int rank, words[RANKS * INTS], others[RANKS * INTS];

static void in_place(void)
{
    MPI_Allreduce(MPI_IN_PLACE, words, INTS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, words, INTS, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, words, INTS, MPI_INT, MPI_COMM_WORLD);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : words, INTS, MPI_INT, words, INTS, MPI_INT, 0,
               MPI_COMM_WORLD);
    MPI_Scatter(words, INTS, MPI_INT, rank == 0 ? MPI_IN_PLACE : words, INTS, MPI_INT, 0,
                MPI_COMM_WORLD);
    MPI_Reduce(rank == 0 ? MPI_IN_PLACE : words, words, INTS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
}

static void not_significant(void)
{
    MPI_Gather(words, INTS, MPI_INT, rank == 0 ? others : words, INTS, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Reduce(words, rank == 0 ? others : words, INTS, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    MPI_Scatter(words, INTS, MPI_INT, rank == 0 ? others : words, INTS, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Exscan(words, rank == 0 ? words : others, INTS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void blocks(void)
{
    int counts[RANKS] = {0, 0, 0}, displs[RANKS] = {0, 0, 0};
    int ones[RANKS] = {1, 1, 1}, descending[RANKS] = {2, 1, 0};

    MPI_Alltoallv(words, counts, displs, MPI_INT, words, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Allgatherv(words, 1, MPI_INT, others, ones, descending, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoallv(words, ones, displs, MPI_INT, others, ones, descending, MPI_INT, MPI_COMM_WORLD);
    MPI_Allreduce(words, words, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

static void pending(void)
{
    MPI_Request request[3];

    MPI_Ibcast(rank == 0 ? words : others, INTS, MPI_INT, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Isend(words, INTS, MPI_INT, (rank + 1) % RANKS, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Irecv(others + INTS, INTS, MPI_INT, (rank + RANKS - 1) % RANKS, 0, MPI_COMM_WORLD,
              &request[2]);
    MPI_Allreduce(words, others + 2 * INTS, INTS, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
    MPI_Bcast(others, RANKS * INTS, MPI_INT, 0, MPI_COMM_WORLD);
}

/* In place, MPI_Gather does not access the block of the root, and MPI_Allgather only reads the own
 * one. */
static void own_block(void)
{
    MPI_Request request[2];
    int *own = others + rank * INTS;

    MPI_Isend(own, INTS, MPI_INT, (rank + 1) % RANKS, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(words, INTS, MPI_INT, (rank + RANKS - 1) % RANKS, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Gather(rank == 0 ? MPI_IN_PLACE : own, INTS, MPI_INT, others, INTS, MPI_INT, 0,
               MPI_COMM_WORLD);
    MPI_Allgather(MPI_IN_PLACE, INTS, MPI_INT, others, INTS, MPI_INT, MPI_COMM_WORLD);
    MPI_Alltoall(MPI_IN_PLACE, INTS, MPI_INT, others, INTS, MPI_INT, MPI_COMM_WORLD);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    in_place();
    not_significant();
    blocks();
    pending();
    own_block();
    MPI_Finalize();
    return 0;
}
