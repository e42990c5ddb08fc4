/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 tells rank 2 of its accesses, by a message and then by a barrier, before these are
 * complete at the target.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: not complete at the target then: rank 1 has to complete it first, with MPI_Win_flush or the unlock. MPI_Win_flush_local
 * SAYS: the access was not complete then: rank 1 has to complete it first, with MPI_Win_flush or the unlock.\n
 * EXIT: 66
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, memory[2] = {0, 0}, word = 1, got;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock_all(0, window);
    if (rank == 1) {
        MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
        MPI_Win_flush_local(0, window);
        MPI_Send(NULL, 0, MPI_INT, 2, 0, MPI_COMM_WORLD);
        MPI_Get(&got, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    } else if (rank == 2) {
        MPI_Recv(NULL, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, window);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 2)
        MPI_Put(&word, 1, MPI_INT, 0, 1, 1, MPI_INT, window);
    MPI_Win_unlock_all(window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
