/* SPDX-License-Identifier: BSD-3-Clause */
/* An operator that is not defined on the datatype (MPI-3.1 section 5.9.2). The library ends the
 * run, and has a sentence where it has the name of the call for other errors.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-operator error
 * SAYS: op is MPI_MAX for elements of MPI_C_DOUBLE_COMPLEX in MPI_Allreduce
 * SAYS: MPI_Allreduce at operator_fatal.c:\d+ of ranks? [01]( and 1)? failed with MPI_ERR_OP
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    double in[2] = {1, 2};
    double out[2];

    MPI_Init(&argc, &argv);
    MPI_Allreduce(in, out, 1, MPI_C_DOUBLE_COMPLEX, MPI_MAX, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
