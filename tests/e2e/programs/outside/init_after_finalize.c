/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI cannot be initialized again when it was finalized (MPI-3.1 section 8.7).
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: init-finalize error
 * SAYS: MPI_Init \(init_after_finalize.c:\d+\) of rank 0 is called after MPI_Finalize \(init_after_finalize.c:\d+\)
 * SAYS: 1 finding \(1 error\)
 * SAYS_LINE: AGAIN
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Init(&argc, &argv); /* AGAIN */
    MPI_Finalize();
    return 0;
}
