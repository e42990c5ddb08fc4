/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses to the same bytes in one epoch of fences, one of them an update (MPI-3.1 section 11.7).
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: rank 0 put bytes 0-15 of the window of rank 2 \(.*\) while rank 1 put bytes 12-27 of it
 * SAYS: rank 0 put bytes 0-15 of the window of rank 2 \(.*\) while rank 1 got bytes 4-7 of it
 * SAYS: rank 0 accumulated into bytes 0-3 .* while rank 1 accumulated into bytes 0-3 of it
 * SAYS: here they are MPI_SUM and MPI_MAX
 * SAYS: Accumulates to the same bytes are atomic only with the same basic datatype .* here they are MPI_INT and
 * SAYS: rank 0 put bytes 0-3 .* and got bytes 0-3 of it .* before the first access was complete
 * SAYS: rank 1 read bytes 0-3 of it as a buffer of MPI_Put
 * SAYS: rank 0 accumulated into bytes 0-3 .* while rank 1 got bytes 0-3 of it
 * SAYS: rank 0 put bytes 0-3 .* while rank 1 accumulated into bytes 0-3 of it
 * SAYS: orknot: 8 findings \(8 errors\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int rank, word[8], *cell;
static MPI_Win win;

static void overlapping_puts(void)
{
    if (rank == 0)
        MPI_Put(word, 4, MPI_INT, 2, 0, 4, MPI_INT, win); /* HERE */
    if (rank == 1)
        MPI_Put(word, 4, MPI_INT, 2, 3, 4, MPI_INT, win); /* HERE */
}

static void put_and_get(void)
{
    if (rank == 0)
        MPI_Put(word, 4, MPI_INT, 2, 0, 4, MPI_INT, win); /* HERE */
    if (rank == 1)
        MPI_Get(word, 1, MPI_INT, 2, 1, 1, MPI_INT, win); /* HERE */
}

static void two_operations(void)
{
    if (rank == 0)
        MPI_Accumulate(word, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win); /* HERE */
    if (rank == 1)
        MPI_Accumulate(word, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_MAX, win); /* HERE */
}

static void two_types(void)
{
    static const float number = 1;

    if (rank == 0)
        MPI_Accumulate(word, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win); /* HERE */
    if (rank == 1)
        MPI_Accumulate(&number, 1, MPI_FLOAT, 2, 0, 1, MPI_FLOAT, MPI_SUM, win); /* HERE */
}

static void put_and_get_of_one_rank(void)
{
    if (rank != 0)
        return;
    MPI_Put(word, 1, MPI_INT, 2, 0, 1, MPI_INT, win);     /* HERE */
    MPI_Get(word + 1, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* HERE */
}

static void origin_in_the_window(void)
{
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 1, 0, 1, MPI_INT, win); /* HERE */
    if (rank == 1)
        MPI_Put(cell, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* HERE */
}

static void accumulate_and_get(void)
{
    if (rank == 0)
        MPI_Accumulate(word, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_SUM, win); /* HERE */
    if (rank == 1)
        MPI_Get(word, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* HERE */
}

static void accumulate_and_put(void)
{
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 2, 0, 1, MPI_INT, win); /* HERE */
    if (rank == 1)
        MPI_Accumulate(word, 1, MPI_INT, 2, 0, 1, MPI_INT, MPI_REPLACE, win); /* HERE */
}

int main(int argc, char **argv)
{
    static void (*const epoch[])(void) = {
        overlapping_puts,        put_and_get,          two_operations,     two_types,
        put_and_get_of_one_rank, origin_in_the_window, accumulate_and_get, accumulate_and_put};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(8 * sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Win_fence(0, win);
    for (unsigned i = 0; i < sizeof(epoch) / sizeof(*epoch); i++) {
        epoch[i]();
        MPI_Win_fence(0, win);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
