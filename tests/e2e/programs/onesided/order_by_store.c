/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses that data orders, where a rank stores the flag in its own memory: rank 1 is told by a
 * message that the put of rank 0 is complete, and sets the flag; rank 2 waits for it by
 * MPI_Fetch_and_op, and only then puts to the same bytes (MPI-3.1 section 11.7: in the unified
 * model a store becomes visible to accesses of others). Later barriers change nothing.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 3
 */
#include <mpi.h>
#include <stdatomic.h>
#include <stdio.h>

static int rank, first = 2, second = 3;
static _Atomic int *cell;
static MPI_Win win;

static void put(const int *value)
{
    MPI_Put(value, 1, MPI_INT, 3, 1, 1, MPI_INT, win);
    MPI_Win_flush(3, win);
}

static void wait_for_flag(void)
{
    int seen = 0;

    while (seen == 0) {
        MPI_Fetch_and_op(NULL, &seen, MPI_INT, 1, 0, MPI_NO_OP, win);
        MPI_Win_flush(1, win);
    }
}

static void in_turns(void)
{
    int word = 0;

    if (rank == 0) {
        put(&first);
        MPI_Send(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        atomic_store(cell, 1);
        MPI_Win_sync(win);
    } else if (rank == 2) {
        wait_for_flag();
        put(&second);
    }
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    atomic_store(cell, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    in_turns();
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 3)
        printf("%d\n", atomic_load(cell + 1));
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
