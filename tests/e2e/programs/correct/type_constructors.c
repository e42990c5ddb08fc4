/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of every constructed type arrive: sent with the type, received as its elements.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: indexed 3, block 4, hindexed 2, subarray 6, resized 4, darray 8
 */
#include <mpi.h>
#include <stdio.h>

static int rank;

/* Number of integers that arrive when one element of the type is sent; frees the type. */
static int elements(MPI_Datatype *type)
{
    static int cells[64];
    int count;
    MPI_Status status;

    MPI_Type_commit(type);
    MPI_Sendrecv(cells, 1, *type, 1 - rank, 0, &cells[32], 32, MPI_INT, MPI_ANY_SOURCE, 0,
                 MPI_COMM_WORLD, &status);
    MPI_Get_elements(&status, MPI_INT, &count);
    MPI_Type_free(type);
    return count;
}

static int resized(void)
{
    MPI_Datatype pair;
    MPI_Datatype spaced;
    MPI_Datatype both;

    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_create_resized(pair, 0, 4 * sizeof(int), &spaced);
    MPI_Type_contiguous(2, spaced, &both);
    MPI_Type_free(&pair);
    MPI_Type_free(&spaced);
    return elements(&both);
}

int main(int argc, char **argv)
{
    int count[6];
    int lengths[2] = {1, 2};
    int places[2] = {0, 3};
    MPI_Aint bytes[2] = {0, 12};
    int sizes[2] = {4, 4};
    int parts[2] = {2, 3};
    int starts[2] = {1, 1};
    int distribution[2] = {MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_NONE};
    int arguments[2] = {MPI_DISTRIBUTE_DFLT_DARG, MPI_DISTRIBUTE_DFLT_DARG};
    int grid[2] = {2, 1};
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_indexed(2, lengths, places, MPI_INT, &type);
    count[0] = elements(&type);
    MPI_Type_create_indexed_block(2, 2, places, MPI_INT, &type);
    count[1] = elements(&type);
    MPI_Type_create_hindexed_block(2, 1, bytes, MPI_INT, &type);
    count[2] = elements(&type);
    MPI_Type_create_subarray(2, sizes, parts, starts, MPI_ORDER_C, MPI_INT, &type);
    count[3] = elements(&type);
    count[4] = resized();
    MPI_Type_create_darray(2, rank, 2, sizes, distribution, arguments, grid, MPI_ORDER_C, MPI_INT,
                           &type);
    count[5] = elements(&type);
    if (rank == 0)
        printf("indexed %d, block %d, hindexed %d, subarray %d, resized %d, darray %d\n", count[0],
               count[1], count[2], count[3], count[4], count[5]);
    MPI_Finalize();
    return 0;
}
