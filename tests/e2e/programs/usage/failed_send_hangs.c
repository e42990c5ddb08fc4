/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 ignores that its send failed (MPI-3.1 section 3.2.2: the count is nonnegative), and rank 1
 * waits for that message for ever: the deadlock names the call that failed.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * FINDING: invalid-argument warning
 * SAYS: The cause may be an earlier call that failed: count is -1 in MPI_Send \(failed_send_hangs.c
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Send(&word, -1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
