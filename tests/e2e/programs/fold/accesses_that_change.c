/* SPDX-License-Identifier: BSD-3-Clause */
/* In a loop of puts whose records repeat, one argument after the other changes for good: the
 * buffer, the place, and a datatype that is freed and made again with another size. Only the last
 * change puts to bytes that rank 1 puts to, which nothing orders.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: rma-conflict: rank 0 put bytes 8-19 of the window of rank 2 \(accesses_that_change.c:\d+\) while rank 1 put bytes 16-19 of it \(accesses_that_change.c:\d+\): nothing orders them
 * SAYS: orknot: 1 finding
 */
#include <mpi.h>

enum { ITERATIONS = 1000, PLACES = 8 };

static MPI_Win win;
static MPI_Datatype pair;

static void make_type(int ints)
{
    MPI_Type_contiguous(ints, MPI_INT, &pair);
    MPI_Type_commit(&pair);
}

static void put(int rank)
{
    int buffer[2 * PLACES] = {0};

    for (int i = 0; i < ITERATIONS; i++) {
        int part = i / (ITERATIONS / 4);
        if (i == ITERATIONS / 4 * 3) {
            MPI_Type_free(&pair);
            make_type(3);
        }
        if (rank == 0)
            MPI_Put(&buffer[part], 1, pair, 2, part == 0 ? 0 : 2, 1, pair, win);
        MPI_Win_flush(2, win);
    }
    if (rank == 1)
        MPI_Put(buffer, 1, MPI_INT, 2, 4, 1, MPI_INT, win);
}

int main(int argc, char **argv)
{
    int memory[PLACES] = {0}, rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    make_type(2);
    MPI_Win_lock_all(0, win);
    if (rank < 2)
        put(rank);
    MPI_Win_unlock_all(win);
    MPI_Type_free(&pair);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
