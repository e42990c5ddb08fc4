/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 5.4: other ranks receive as much as the root of an MPI_Bcast sends, neither less
 * nor more. Less is an error of the library, which returns. It says nothing about an earlier call.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: count-mismatch warning
 * FINDING: count-mismatch error
 * SAYS: warning: count-mismatch: rank 0 sends 6 x MPI_INT \(MPI_Bcast at bcast_counts.c:\d+\), but rank 1 receives 4 x MPI_INT \(MPI_Bcast at bcast_counts.c:\d+\)
 * SAYS: error: count-mismatch: rank 0 sends 6 x MPI_INT \(MPI_Ibcast at bcast_counts.c:\d+\), but rank 1 receives 8 x MPI_INT \(MPI_Ibcast at bcast_counts.c:\d+\)
 * SAYS: 2 findings
 * OUTPUT: too long
 * EXIT: 66
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, word[8] = {0};
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Ibcast(word, rank == 0 ? 6 : 8, MPI_INT, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    if (MPI_Bcast(word, rank == 0 ? 6 : 4, MPI_INT, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
        puts("too long");
    MPI_Finalize();
    return 0;
}
