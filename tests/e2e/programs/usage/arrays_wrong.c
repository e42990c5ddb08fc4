/* SPDX-License-Identifier: BSD-3-Clause */
/* Datatypes of parts of arrays that are not in their arrays, or are distributed among other
 * processes than there are (MPI-3.1 sections 4.1.3 and 4.1.4). Each call returns an error, or makes
 * a datatype.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * SAYS: array_of_subsizes\[1\] is 6 in MPI_Type_create_subarray .*, but the array has 5 elements there
 * SAYS: array_of_starts\[0\] is 3 in MPI_Type_create_subarray .*, but must be from 0 to 2, the first of 2 times
 * SAYS: array_of_psizes has 4 processes in MPI_Type_create_darray .*, but size is 6
 * SAYS: rank is 4 in MPI_Type_create_darray .*, but the grid has 4 processes
 * SAYS: array_of_distribs\[0\] is 77 in MPI_Type_create_darray
 * SAYS: array_of_dargs\[0\] is -2 in MPI_Type_create_darray
 * SAYS: array_of_dargs\[0\] is 3 in MPI_Type_create_darray .*, but blocks of less than 4 elements do not cover
 * EXIT: 0 66
 */
#include <mpi.h>

static void make_part(int part1, int start0, int start1)
{
    const int size[2] = {4, 5}, part[2] = {2, part1}, start[2] = {start0, start1};
    MPI_Datatype type;

    if (MPI_Type_create_subarray(2, size, part, start, MPI_ORDER_C, MPI_INT, &type) == MPI_SUCCESS)
        MPI_Type_free(&type);
}

static void make_distributed(int processes, int rank, int how0, int argument0, int argument1)
{
    const int size[2] = {8, 8}, grid[2] = {2, 2};
    const int how[2] = {how0, MPI_DISTRIBUTE_CYCLIC}, argument[2] = {argument0, argument1};
    MPI_Datatype type;

    if (MPI_Type_create_darray(processes, rank, 2, size, how, argument, grid, MPI_ORDER_C, MPI_INT,
                               &type) == MPI_SUCCESS)
        MPI_Type_free(&type);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    make_part(6, 0, 0);
    make_part(3, 3, 0);
    make_part(3, 2, -1);
    make_distributed(6, 0, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, 1);
    make_distributed(4, 4, MPI_DISTRIBUTE_BLOCK, MPI_DISTRIBUTE_DFLT_DARG, 1);
    make_distributed(4, 0, 77, MPI_DISTRIBUTE_DFLT_DARG, 1);
    make_distributed(4, 0, MPI_DISTRIBUTE_BLOCK, -2, 1);
    make_distributed(4, 0, MPI_DISTRIBUTE_BLOCK, 3, 1);
    MPI_Finalize();
    return 0;
}
