/* SPDX-License-Identifier: BSD-3-Clause */
/* Values at the edge of their range, all right: a graph without neighbours (MPI-3.1 section 7.5.4),
 * an array of one element, and a part of all of it (4.1.3); a range that goes down (6.3.2), a
 * communicator of all members (6.4.2), a window without memory (11.2), a buffer with just the
 * overhead of a message (3.6), operators on small numbers (5.9.2), and the operators that only
 * one-sided calls have (11.3.4).
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 3 1 5
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static MPI_Comm world = MPI_COMM_WORLD;
static int rank;
static int *volatile unweighted; /* GCC takes it for an array */

static void arrays(void)
{
    int sizes[2] = {3, 1}, starts[2] = {0, 0}, dims[2] = {0, 0};
    MPI_Datatype type;

    MPI_Type_create_subarray(2, sizes, sizes, starts, MPI_ORDER_FORTRAN, MPI_INT, &type);
    MPI_Type_free(&type);
    MPI_Dims_create(1, 2, dims);
}

static void groups(void)
{
    int ranges[1][3] = {{1, 0, -1}};
    MPI_Group group, both;
    MPI_Comm other;

    MPI_Comm_group(world, &both);
    MPI_Group_range_incl(both, 1, ranges, &group);
    MPI_Comm_create(world, group, &other);
    MPI_Comm_free(&other);
    MPI_Dist_graph_create_adjacent(world, 0, NULL, unweighted, 0, NULL, unweighted, MPI_INFO_NULL,
                                   0, &other);
    MPI_Comm_free(&other);
    MPI_Group_free(&group);
    MPI_Group_free(&both);
}

static void memory(void)
{
    static char sent[400];
    char *space;
    MPI_Win win;
    int packed, size;

    MPI_Win_create(NULL, 0, 1, MPI_INFO_NULL, world, &win);
    MPI_Win_free(&win);
    MPI_Pack_size(400, MPI_BYTE, MPI_COMM_SELF, &packed);
    space = malloc((size_t)packed + MPI_BSEND_OVERHEAD);
    MPI_Buffer_attach(space, packed + MPI_BSEND_OVERHEAD);
    MPI_Bsend(sent, 400, MPI_BYTE, 0, 3, MPI_COMM_SELF);
    MPI_Recv(sent, 400, MPI_BYTE, 0, 3, MPI_COMM_SELF, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&space, &size);
    free(space);
}

static void operators(void)
{
    signed char a = 1, b = 2;
    int word = 5 * rank, before = 7, *base;
    MPI_Win win;

    MPI_Reduce_local(&a, &b, 1, MPI_SIGNED_CHAR, MPI_SUM);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, world, &base, &win);
    *base = 1;
    MPI_Win_fence(0, win);
    MPI_Get_accumulate(NULL, 0, MPI_INT, &before, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win);
    MPI_Win_fence(0, win);
    if (rank == 1)
        MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        printf("%d %d %d\n", b, before, *base);
    MPI_Win_free(&win);
}

int main(int argc, char **argv)
{
    unweighted = MPI_UNWEIGHTED;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    arrays();
    groups();
    memory();
    operators();
    MPI_Finalize();
    return 0;
}
