/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank asks for its number before it calls MPI_Init; only a few inquiries are allowed there
 * (MPI-3.1 section 8.7). The MPI library ends the processes in this call.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: init-finalize error
 * SAYS: MPI_Comm_rank \(before_init.c:\d+\) of (rank 0|rank 1|ranks 0 and 1) is called before MPI_Init
 * SAYS: MPI_Comm_rank at before_init.c:\d+ of (rank 0|rank 1|ranks 0 and 1) ended the process
 * SAYS: 1 finding \(1 error\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Comm_rank(MPI_COMM_WORLD, &rank); /* HERE */
    MPI_Init(&argc, &argv);
    printf("rank %d\n", rank);
    MPI_Finalize();
    return 0;
}
