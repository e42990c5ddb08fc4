/* SPDX-License-Identifier: BSD-3-Clause */
/* The library crashes on a negative count in an array (MPI-3.1 section 5.7): the finding exists,
 * and says how the run ended.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * PLAIN: any
 * FINDING: invalid-argument error
 * SAYS: recvcounts\[1\] is -2147483647 in MPI_Allgatherv \(count_crashes.c:\d+\) of ranks 0 and 1
 * EXIT: 66
 */
#include <limits.h>
#include <mpi.h>

int main(int argc, char **argv)
{
    int word = 0, all[2], counts[] = {1, -INT_MAX}, displs[] = {0, 1};

    MPI_Init(&argc, &argv);
    MPI_Allgatherv(&word, 1, MPI_INT, all, counts, displs, MPI_INT, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
