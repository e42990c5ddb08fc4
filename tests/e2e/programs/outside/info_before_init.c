/* SPDX-License-Identifier: BSD-3-Clause */
/* An info object is made before MPI_Init. MPI-4.0 allows this, MPI-3.1 section 8.7 does not, and
 * the library of an earlier standard ends the process.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: init-finalize error
 * SAYS: MPI_Info_create \(info_before_init.c:\d+\) of rank 0 is called before MPI_Init
 * SAYS: Before MPI-4.0, this function may be called only after MPI_Init
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Info info;

    MPI_Info_create(&info); /* HERE */
    MPI_Init(&argc, &argv);
    MPI_Info_free(&info);
    MPI_Finalize();
    return 0;
}
