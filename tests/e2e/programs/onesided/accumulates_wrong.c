/* SPDX-License-Identifier: BSD-3-Clause */
/* Accumulates that are neither ordered nor atomic: those of one rank are ordered for each datatype
 * (MPI-3.1 section 11.7.2), and those of two ranks are atomic for the same elements of the same
 * datatype (11.7.1), also if they are in a derived one.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * FINDING: rma-conflict warning
 * SAYS: ordered only with the same basic datatype .* here they are MPI_INT and MPI_LONG\.
 * SAYS: ordered only with .* here they are MPI_INT and MPI_INT32_T, whose values this library
 * SAYS: atomic only with the same basic datatype .* here they are MPI_FLOAT and MPI_INT\.
 * SAYS: same basic datatype \(MPI-3.1 section 11.7.1\); here an element of one overlaps two of
 * SAYS: rank 0 accumulated into some of bytes 0-15 .* while rank 1 accumulated into some of bytes 2-17
 * SAYS: orknot: 5 findings \(4 errors\): 3 ranks
 * SAYS_LINE: HERE
 * EXIT: 66
 */
#include <mpi.h>
#include <stdint.h>

static int rank;
static int64_t zero[4];
static MPI_Win win;
static MPI_Datatype two_floats, two_ints, apart;

static void types_of_one_rank(void)
{
    if (rank == 0) {
        MPI_Accumulate(zero, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win);   /* HERE */
        MPI_Accumulate(zero, 1, MPI_LONG, 2, 0, 1, MPI_LONG, MPI_SUM, win); /* HERE */
    }
}

static void names_of_one_type(void)
{
    if (rank == 0) {
        MPI_Accumulate(zero, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win);         /* HERE */
        MPI_Accumulate(zero, 1, MPI_INT32_T, 2, 0, 1, MPI_INT32_T, MPI_SUM, win); /* HERE */
    }
}

static void derived_types(void)
{
    if (rank == 0)
        MPI_Accumulate(zero, 2, MPI_FLOAT, 2, 0, 1, two_floats, MPI_SUM, win); /* HERE */
    if (rank == 1)
        MPI_Accumulate(zero, 2, MPI_INT, 2, 0, 1, two_ints, MPI_SUM, win); /* HERE */
}

static void half_of_an_element(void)
{
    if (rank == 0)
        MPI_Accumulate(zero, 2, MPI_INT, 2, 0, 2, MPI_INT, MPI_SUM, win); /* HERE */
    if (rank == 1)
        MPI_Accumulate(zero, 1, MPI_INT, 2, 2, 1, MPI_INT, MPI_SUM, win); /* HERE */
}

static void half_of_each(void)
{
    if (rank == 0)
        MPI_Accumulate(zero, 2, MPI_INT, 2, 0, 1, apart, MPI_SUM, win); /* HERE */
    if (rank == 1)
        MPI_Accumulate(zero, 2, MPI_INT, 2, 2, 1, apart, MPI_SUM, win); /* HERE */
}

int main(int argc, char **argv)
{
    void (*const part[])(void) = {types_of_one_rank, names_of_one_type, derived_types,
                                  half_of_an_element, half_of_each};
    int64_t *cell;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_FLOAT, &two_floats);
    MPI_Type_contiguous(2, MPI_INT, &two_ints);
    MPI_Type_vector(2, 1, 3, MPI_INT, &apart);
    MPI_Type_commit(&two_floats);
    MPI_Type_commit(&two_ints);
    MPI_Type_commit(&apart);
    MPI_Win_allocate(sizeof(zero), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Win_fence(0, win);
    for (unsigned i = 0; i < sizeof(part) / sizeof(part[0]); i++) {
        part[i]();
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
    MPI_Type_free(&two_floats);
    MPI_Type_free(&two_ints);
    MPI_Type_free(&apart);
    MPI_Finalize();
    return 0;
}
