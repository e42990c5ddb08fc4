/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 frees a communicator when it has left MPI_Finalize, after which only a few inquiries are
 * allowed (MPI-3.1 section 8.7). The MPI library ends the process in this call.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: init-finalize error
 * SAYS: MPI_Comm_free \(after_finalize.c:\d+\) of rank 0 is called after MPI_Finalize \(after_finalize.c:\d+\)
 * SAYS: MPI_Comm_free at after_finalize.c:\d+ of rank 0 ended the process
 * SAYS_LINE: HERE
 * SAYS_LINE: FINALIZE
 * SAYS: 1 finding \(1 error\)
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    MPI_Comm copy;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    if (rank != 0)
        MPI_Comm_free(&copy);
    MPI_Finalize(); /* FINALIZE */
    if (rank == 0)
        MPI_Comm_free(&copy); /* HERE */
    return 0;
}
