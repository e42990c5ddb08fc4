/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses in one epoch of fences that do not conflict: disjoint bytes, only reads, accumulates
 * with one operation or MPI_NO_OP, accumulates of one rank; and a fence between accesses (MPI-3.1
 * section 11.7).
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 7
 */
#include <mpi.h>
#include <stdio.h>

static int rank, word[8] = {1, 1, 1, 1, 1, 1, 1, 1}, seen[8], first, *cell;
static MPI_Win win;

static void disjoint_puts(void)
{
    if (rank < 2)
        MPI_Put(word, 4, MPI_INT, 2, 4 * rank, 4, MPI_INT, win);
}

static void gets(void)
{
    MPI_Get(seen, 8, MPI_INT, 2, 0, 8, MPI_INT, win);
    MPI_Get_accumulate(NULL, 0, MPI_INT, &first, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_NO_OP, win);
}

static void one_operation(void)
{
    MPI_Accumulate(word, 2, MPI_INT, 2, 0, 2, MPI_INT, MPI_SUM, win);
    MPI_Get_accumulate(word, 2, MPI_INT, seen, 2, MPI_INT, 2, 0, 2, MPI_INT, MPI_SUM, win);
    if (rank == 1)
        MPI_Fetch_and_op(NULL, &seen[4], MPI_INT, 2, 0, MPI_NO_OP, win);
}

/* They are ordered by default (section 11.7.2). */
static void accumulates_of_one_rank(void)
{
    if (rank != 0)
        return;
    MPI_Accumulate(word, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Accumulate(word, 1, MPI_INT, 1, 0, 1, MPI_INT, MPI_SUM, win);
}

/* Each rank has its own column. */
static void interleaved(void)
{
    MPI_Datatype column;

    MPI_Type_vector(2, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Put(word, 2, MPI_INT, 1, rank, 1, column, win);
    MPI_Type_free(&column);
}

static void put_behind_the_buffer(void)
{
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 1, 1, 1, MPI_INT, win);
    if (rank == 1)
        MPI_Put(cell, 1, MPI_INT, 2, 7, 1, MPI_INT, win);
}

static void put(void)
{
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 2, 5, 1, MPI_INT, win);
}

static void get(void)
{
    if (rank == 1)
        MPI_Get(seen, 1, MPI_INT, 2, 5, 1, MPI_INT, win);
}

int main(int argc, char **argv)
{
    static void (*const epoch[])(void) = {disjoint_puts,
                                          gets,
                                          one_operation,
                                          accumulates_of_one_rank,
                                          interleaved,
                                          put_behind_the_buffer,
                                          put,
                                          get,
                                          put};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win);
    for (unsigned i = 0; i < sizeof(epoch) / sizeof(*epoch); i++) {
        epoch[i]();
        MPI_Win_fence(0, win);
    }
    if (rank == 2)
        printf("%d\n", cell[0]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
