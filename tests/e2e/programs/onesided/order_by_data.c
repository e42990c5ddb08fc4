/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses that flags in windows order: each rank waits until the flag of its turn shows, in its
 * own memory by MPI_Fetch_and_op, or at rank 0, and only then accesses the shared data (MPI-3.1
 * section 11.7: a polling loop sees an accumulate). MPI_Compare_and_swap takes a lock in the same
 * way.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 6
 */
#include <mpi.h>
#include <stdio.h>

enum { DATA, TURN, LOCK };

static int rank, size, one = 1, zero, *cell;
static MPI_Win win;

static int fetch(int target, int place)
{
    int value;

    MPI_Fetch_and_op(NULL, &value, MPI_INT, target, place, MPI_NO_OP, win);
    MPI_Win_flush(target, win);
    return value;
}

/* Not an atomic update: nobody else may be here. */
static void count(void)
{
    int value;

    MPI_Get(&value, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
    value++;
    MPI_Put(&value, 1, MPI_INT, 0, DATA, 1, MPI_INT, win);
    MPI_Win_flush(0, win);
}

static void in_turn(void)
{
    while (rank > 0 && fetch(rank, TURN) == 0)
        ;
    count();
    if (rank + 1 < size) {
        MPI_Accumulate(&one, 1, MPI_INT, rank + 1, TURN, 1, MPI_INT, MPI_REPLACE, win);
        MPI_Win_flush(rank + 1, win);
    }
}

static void under_a_spin_lock(void)
{
    int before;

    do {
        MPI_Compare_and_swap(&one, &zero, &before, MPI_INT, 0, LOCK, win);
        MPI_Win_flush(0, win);
    } while (before != 0);
    count();
    MPI_Accumulate(&zero, 1, MPI_INT, 0, LOCK, 1, MPI_INT, MPI_REPLACE, win);
    MPI_Win_flush(0, win);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_allocate(3 * sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    cell[DATA] = cell[TURN] = cell[LOCK] = 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    in_turn();
    MPI_Barrier(MPI_COMM_WORLD);
    under_a_spin_lock();
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d\n", cell[DATA]);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
