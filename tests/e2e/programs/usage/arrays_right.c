/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes of parts of arrays, up to their last elements; a datatype whose handle the program
 * keeps, and frees only once.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

static void make_part(int part, int start)
{
    const int size = 5;
    MPI_Datatype type;

    MPI_Type_create_subarray(1, &size, &part, &start, MPI_ORDER_FORTRAN, MPI_INT, &type);
    MPI_Type_free(&type);
}

static void make_distributed(int rank, int how, int argument)
{
    const int size[2] = {7, 3}, grid[2] = {2, 1};
    const int hows[2] = {how, MPI_DISTRIBUTE_NONE};
    const int arguments[2] = {argument, MPI_DISTRIBUTE_DFLT_DARG};
    MPI_Datatype type;

    MPI_Type_create_darray(2, rank, 2, size, hows, arguments, grid, MPI_ORDER_C, MPI_INT, &type);
    MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    int rank;
    MPI_Datatype type, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    make_part(5, 0);
    make_part(1, 4);
    make_distributed(rank, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG);
    make_distributed(rank, MPI_DISTRIBUTE_BLOCK, 4);
    make_distributed(rank, MPI_DISTRIBUTE_CYCLIC, 3);
    MPI_Type_contiguous(3, MPI_INT, &type);
    copy = type;
    MPI_Type_commit(&copy);
    MPI_Type_free(&copy);
    type = MPI_INT;
    MPI_Type_commit(&type);
    MPI_Finalize();
    return 0;
}
