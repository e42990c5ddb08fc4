/* SPDX-License-Identifier: BSD-3-Clause */
/* Accumulates that are ordered or atomic (MPI-3.1 sections 11.7.1 and 11.7.2): of one rank with one
 * datatype, or with two that a call or the bytes keep apart; of two ranks with the same elements,
 * also in derived datatypes, and pairs.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>
#include <stdint.h>

static int rank;
static int64_t zero[4];
static MPI_Win win;
static MPI_Datatype two_ints, apart, two_pairs;

static void of_one_rank(void)
{
    if (rank != 0)
        return;
    MPI_Accumulate(zero, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Accumulate(zero, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_MAX, win);
    MPI_Accumulate(zero, 1, MPI_FLOAT, 2, 4, 1, MPI_FLOAT, MPI_SUM, win);
    MPI_Accumulate(zero, 2, MPI_INT, 2, 8, 1, two_ints, MPI_SUM, win);
    MPI_Accumulate(zero, 2, MPI_INT, 2, 10, 2, MPI_INT, MPI_SUM, win);
}

static void after_a_flush(void)
{
    if (rank != 0)
        return;
    MPI_Win_lock(MPI_LOCK_SHARED, 2, 0, win);
    MPI_Accumulate(zero, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win);
    MPI_Win_flush(2, win);
    MPI_Accumulate(zero, 1, MPI_LONG, 2, 0, 1, MPI_LONG, MPI_SUM, win);
    MPI_Win_unlock(2, win);
}

static void of_two_ranks(void)
{
    if (rank == 0)
        MPI_Accumulate(zero, 2, MPI_INT, 2, 0, 1, apart, MPI_SUM, win);
    if (rank == 1)
        MPI_Accumulate(zero, 4, MPI_INT, 2, 0, 2, two_ints, MPI_SUM, win);
    if (rank == 0)
        MPI_Accumulate(zero, 2, MPI_2INT, 2, 16, 1, two_pairs, MPI_MINLOC, win);
    if (rank == 1)
        MPI_Accumulate(zero, 2, MPI_2INT, 2, 16, 2, MPI_2INT, MPI_MINLOC, win);
}

int main(int argc, char **argv)
{
    int64_t *cell;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &two_ints);
    MPI_Type_contiguous(2, MPI_2INT, &two_pairs);
    MPI_Type_vector(2, 1, 2, MPI_INT, &apart);
    MPI_Type_commit(&two_ints);
    MPI_Type_commit(&two_pairs);
    MPI_Type_commit(&apart);
    MPI_Win_allocate(sizeof(zero), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Win_fence(0, win);
    of_one_rank();
    MPI_Win_fence(0, win);
    of_two_ranks();
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    after_a_flush();
    MPI_Win_free(&win);
    MPI_Type_free(&two_ints);
    MPI_Type_free(&two_pairs);
    MPI_Type_free(&apart);
    MPI_Finalize();
    return 0;
}
