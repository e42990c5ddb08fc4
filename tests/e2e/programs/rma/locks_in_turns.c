/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks 0 and 1 lock the memory of rank 1 in turns, and rank 2 with a shared lock; then rank 0
 * keeps the lock, and waits for a message that rank 1 sends only after its own turn.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv KEPT
 * CALL: 1 MPI_Win_lock HERE
 * SAYS: Rank 1 waits for the lock that rank 0 took in MPI_Win_lock \(locks_in_turns.c:\d+\), after 5 locks that exclude it had been released\.
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int rank, word;
static MPI_Win win;

static void turn(int whose, int type)
{
    if (rank == whose) {
        MPI_Win_lock(type, 1, 0, win);
        MPI_Put(&word, 1, MPI_INT, 1, rank, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
}

int main(int argc, char **argv)
{
    int *memory;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(3 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    for (int i = 0; i < 2; i++) {
        turn(0, MPI_LOCK_EXCLUSIVE);
        turn(1, MPI_LOCK_EXCLUSIVE);
    }
    turn(2, MPI_LOCK_SHARED);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Win_flush(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* KEPT */
        MPI_Win_unlock(1, win);
    } else if (rank == 1) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win); /* HERE */
        MPI_Win_unlock(1, win);
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
