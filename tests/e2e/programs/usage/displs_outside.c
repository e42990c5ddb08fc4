/* SPDX-License-Identifier: BSD-3-Clause */
/* A displacement that overflowed is negative, and leads to where the process has no memory (MPI-3.1
 * sections 4.1.12 and 5.6): the library crashes. That is one finding, which names the displacement,
 * not an abnormal end.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: invalid-buffer error
 * SAYS: displs\[0\] is -1094967296 in MPI_Scatterv \(.*\) of rank 0, where the process has no memory
 * SAYS: rank 0 was killed by SIGSEGV
 * SAYS: 1 finding
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    static double data[4];
    double in;
    const int count = 1, at = (int)3200000000u;

    MPI_Init(&argc, &argv);
    MPI_Scatterv(data, &count, &at, MPI_DOUBLE, &in, 1, MPI_DOUBLE, 0, MPI_COMM_SELF);
    MPI_Finalize();
    return 0;
}
