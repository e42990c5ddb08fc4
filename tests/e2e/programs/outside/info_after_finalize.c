/* SPDX-License-Identifier: BSD-3-Clause */
/* An info object is made after MPI_Finalize. MPI-4.0 allows this, MPI-3.1 section 8.7 does not, and
 * the library of an earlier standard ends the process.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: init-finalize error
 * SAYS: MPI_Info_create \(info_after_finalize.c:\d+\) of rank 0 is called after MPI_Finalize
 * SAYS: Before MPI-4.0, this function may be called only before MPI_Finalize
 * SAYS_LINE: HERE
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info info;

    MPI_Init(&argc, &argv);
    MPI_Finalize();
    MPI_Info_create(&info); /* HERE */
    return 0;
}
