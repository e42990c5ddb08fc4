/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 holds the lock while it waits for a message that rank 1 sends only after its own turn.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Recv HERE
 * CALL: 1 MPI_Win_lock HERE
 * SAYS_LINE: HERE
 */
#include "../turn.h"

#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int cell = 0;
    int word = 7;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&cell, sizeof(cell), sizeof(cell), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window);
        MPI_Put(&word, 1, MPI_INT, 1, 0, 1, MPI_INT, window);
        MPI_Win_flush(1, window); /* now the lock is granted */
        turn_pass("granted");
        MPI_Recv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
        MPI_Win_unlock(1, window);
    } else {
        turn_wait("granted");
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, window); /* HERE */
        MPI_Win_unlock(1, window);
        MPI_Send(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
