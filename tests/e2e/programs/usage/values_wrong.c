/* SPDX-License-Identifier: BSD-3-Clause */
/* Values out of their range: negative numbers of neighbours and processes (MPI-3.1 sections 7.5.4,
 * 7.5.2), arrays without dimensions or elements, and with an unknown order (4.1.3); a stride of 0
 * (6.3.2), members that the communicator lacks (6.4.2), an intercommunicator where none is allowed
 * (5.2.2, 7.5.1); memory at NULL (3.6, 11.2),
 * operators on characters (5.9.2), and an operator of the program in a one-sided call (11.3.4).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * FINDING: invalid-buffer warning
 * FINDING: invalid-operator warning
 * MAYBE: attached-buffer
 * MAYBE: resource-leak
 * SAYS: indegree is -1 in MPI_Dist_graph_create_adjacent
 * SAYS: nnodes is -6 in MPI_Dims_create
 * SAYS: array_of_sizes\[1\] is 0 in MPI_Type_create_subarray
 * SAYS: ndims is 0 in MPI_Type_create_subarray
 * SAYS: order is 99 in MPI_Type_create_subarray
 * SAYS: the stride of ranges\[0\] is 0 in MPI_Group_range_incl
 * SAYS: group of MPI_Comm_create .* has 1 member that the communicator lacks
 * SAYS: comm(_old)? is an intercommunicator in MPI_Cart_create
 * SAYS: buffer is NULL in MPI_Buffer_attach .* for 64 bytes
 * SAYS: base is NULL in MPI_Win_create .* for 8 bytes
 * SAYS: op is MPI_SUM for elements of MPI_CHAR in MPI_Reduce_local
 * SAYS: op is a user-defined operation .* in MPI_Accumulate
 */
#include <mpi.h>
#include <stdlib.h>

static MPI_Comm world = MPI_COMM_WORLD;
static int rank;
static void *volatile null;
static int *volatile unweighted; /* GCC takes it for an array */

static void arrays(void)
{
    int sizes[2] = {3, 0}, some[2] = {1, 0}, starts[2] = {0, 0}, dims[2] = {0, 0};
    MPI_Datatype type;

    MPI_Type_create_subarray(2, sizes, some, starts, MPI_ORDER_C, MPI_INT, &type);
    sizes[1] = some[1] = 1;
    MPI_Type_create_subarray(0, sizes, some, starts, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_create_subarray(2, sizes, some, starts, 99, MPI_INT, &type);
    MPI_Dims_create(-6, 2, dims);
}

static void groups(void)
{
    int ranges[1][3] = {{0, 1, 0}}, neighbours[1] = {0}, dims[1] = {2}, periods[1] = {0};
    MPI_Group group, both;
    MPI_Comm other, across, alone;

    MPI_Comm_group(world, &both);
    MPI_Group_range_incl(both, 1, ranges, &group);
    MPI_Dist_graph_create_adjacent(world, -1, neighbours, unweighted, 0, neighbours, unweighted,
                                   MPI_INFO_NULL, 0, &other);
    MPI_Comm_split(world, rank, 0, &alone);
    MPI_Comm_set_errhandler(alone, MPI_ERRORS_RETURN);
    MPI_Comm_create(alone, both, &other);
    MPI_Intercomm_create(alone, 0, world, 1 - rank, 4, &across);
    MPI_Comm_set_errhandler(across, MPI_ERRORS_RETURN);
    MPI_Cart_create(across, 1, dims, periods, 0, &other);
    MPI_Comm_free(&across);
    MPI_Comm_free(&alone);
    MPI_Group_free(&both);
}

static void memory(void)
{
    char *nowhere;
    MPI_Win win;
    int size;

    MPI_Buffer_attach(null, 64);
    MPI_Buffer_detach(&nowhere, &size);
    MPI_Win_create(null, 8, 1, MPI_INFO_NULL, MPI_COMM_SELF, &win);
}

static void first(void *in, void *inout, int *n, MPI_Datatype *type)
{
    (void)in, (void)inout, (void)n, (void)type;
}

static void operators(void)
{
    char a = 1, b = 2;
    int word = 1, *base;
    MPI_Win win;
    MPI_Op op;

    MPI_Reduce_local(&a, &b, 1, MPI_CHAR, MPI_SUM);
    MPI_Op_create(first, 1, &op);
    MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, world, &base, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    MPI_Accumulate(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, op, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Op_free(&op);
}

int main(int argc, char **argv)
{
    unweighted = MPI_UNWEIGHTED;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN);
    MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN);
    arrays();
    groups();
    memory();
    operators();
    MPI_Finalize();
    return 0;
}
