/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments that look wrong and are right: MPI_PROC_NULL with any tag (MPI-3.1 section
 * 3.11), arguments of other ranks than the root (5.5), MPI_IN_PLACE at the root, MPI_UNDEFINED as a
 * colour (6.4.2), negative displacements (4.1.4), MPI_BOTTOM (4.1.12), count 0 with null buffers,
 * null arrays without elements, MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY (7.5.4), the receive buffer of
 * the first rank of MPI_Exscan (5.11.2), one buffer for two datatypes that do not overlap.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>
#include <stddef.h>

enum { RANKS = 3 };

static MPI_Comm world = MPI_COMM_WORLD;
/* Variables, because compilers warn about the constants. */
static int *volatile unweighted;
static int *volatile empty;

static void messages(void)
{
    MPI_Request request = MPI_REQUEST_NULL;

    MPI_Send(NULL, 0, MPI_INT, MPI_PROC_NULL, 3, world);
    MPI_Recv(NULL, 0, MPI_INT, MPI_PROC_NULL, MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
    MPI_Sendrecv(NULL, 0, MPI_INT, MPI_PROC_NULL, 1, NULL, 0, MPI_INT, MPI_PROC_NULL, 0, world,
                 MPI_STATUS_IGNORE);
    MPI_Waitall(0, NULL, MPI_STATUSES_IGNORE);
    MPI_Waitall(1, &request, MPI_STATUSES_IGNORE);
}

static void rooted(int rank)
{
    int word = rank, all[RANKS], counts[] = {1, 1, 1}, displs[] = {0, 1, 2};

    if (rank == 1) {
        MPI_Gather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 1, MPI_INT, 1, world);
        MPI_Gatherv(&word, 1, MPI_INT, all, counts, displs, MPI_INT, 1, world);
        MPI_Scatter(all, 1, MPI_INT, MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, 1, world);
        MPI_Reduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_SUM, 1, world);
    } else {
        MPI_Gather(&word, 1, MPI_INT, NULL, -1, MPI_DATATYPE_NULL, 1, world);
        MPI_Gatherv(&word, 1, MPI_INT, NULL, NULL, NULL, MPI_DATATYPE_NULL, 1, world);
        MPI_Scatter(NULL, -1, MPI_DATATYPE_NULL, &word, 1, MPI_INT, 1, world);
        MPI_Reduce(&word, NULL, 1, MPI_INT, MPI_SUM, 1, world);
    }
}

static void symmetric(int rank)
{
    int word = rank, all[RANKS] = {0};

    MPI_Allgather(MPI_IN_PLACE, -1, MPI_DATATYPE_NULL, all, 1, MPI_INT, world);
    MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_MAX, world);
    MPI_Exscan(&word, rank == 0 ? NULL : all, 1, MPI_INT, MPI_SUM, world);
    MPI_Allreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, world);
    MPI_Bcast(NULL, 0, MPI_INT, 0, world);
}

static void datatypes(int rank)
{
    int values[3] = {1, 2, 3}, other[2], lengths[] = {1, 1}, before[] = {-1, 1};
    MPI_Aint address, second = sizeof(int);
    MPI_Datatype around, absolute, shifted;

    MPI_Type_indexed(2, lengths, before, MPI_INT, &around);
    MPI_Type_commit(&around);
    MPI_Sendrecv(&values[1], 1, around, rank, 0, other, 2, MPI_INT, rank, 0, world,
                 MPI_STATUS_IGNORE);
    MPI_Get_address(values, &address);
    MPI_Type_create_hindexed(1, lengths, &address, MPI_INT, &absolute);
    MPI_Type_commit(&absolute);
    MPI_Bcast(MPI_BOTTOM, 1, absolute, 0, world);
    MPI_Type_create_hindexed(1, lengths, &second, MPI_INT, &shifted);
    MPI_Type_commit(&shifted);
    MPI_Alltoall(values, 1, MPI_INT, values, 1, shifted, MPI_COMM_SELF);
    MPI_Type_free(&shifted);
    MPI_Type_free(&around);
    MPI_Type_free(&absolute);
}

static void communicators(int rank)
{
    MPI_Comm some, graph;
    int neighbour = (rank + 1) % RANKS, before = (rank + RANKS - 1) % RANKS, flag, *tags;

    MPI_Comm_split(world, rank == 0 ? MPI_UNDEFINED : 7, 0, &some);
    if (some != MPI_COMM_NULL)
        MPI_Comm_free(&some);
    MPI_Dist_graph_create_adjacent(world, 1, &before, unweighted, 1, &neighbour, unweighted,
                                   MPI_INFO_NULL, 0, &graph);
    MPI_Neighbor_allgather(&rank, 1, MPI_INT, &before, 1, MPI_INT, graph);
    MPI_Comm_free(&graph);
    MPI_Dist_graph_create_adjacent(world, 0, NULL, empty, 0, NULL, empty, MPI_INFO_NULL, 0, &graph);
    MPI_Comm_free(&graph);
    MPI_Comm_get_attr(world, MPI_TAG_UB, (void *)&tags, &flag);
    MPI_Sendrecv(&rank, 1, MPI_INT, neighbour, *tags, &before, 1, MPI_INT, MPI_ANY_SOURCE,
                 MPI_ANY_TAG, world, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    int rank;

    unweighted = MPI_UNWEIGHTED;
    empty = MPI_WEIGHTS_EMPTY;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    messages();
    rooted(rank);
    symmetric(rank);
    datatypes(rank);
    communicators(rank);
    MPI_Finalize();
    return 0;
}
