/* SPDX-License-Identifier: BSD-3-Clause */
/* An exit code other than 0 after MPI_Finalize is the program's own affair.
 *
 * RANKS: 2
 * EXPECT: clean
 * EXIT: 5
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Finalize();
    return 5;
}
