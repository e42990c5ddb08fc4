/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Finalize is called once more (MPI-3.1 section 8.7). The MPI library ends the process in it.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: init-finalize error
 * SAYS: MPI_Finalize \(finalize_twice.c:\d+\) of (rank 0|rank 1|ranks 0 and 1) is called after MPI_Finalize \(fin
 * SAYS: 1 finding \(1 error\)
 * SAYS_LINE: ONCE
 * SAYS_LINE: AGAIN
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize(); /* ONCE */
    MPI_Finalize(); /* AGAIN */
    return 0;
}
