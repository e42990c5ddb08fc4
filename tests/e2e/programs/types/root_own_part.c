/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 5.5 and 5.6: what the root of a gather or scatter sends to itself must be what
 * it receives from itself. The library finds that the data do not fit, and tells of an error in the
 * call; the finding names the two amounts, and there is no second one.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: count-mismatch warning
 * FINDING: count-mismatch error
 * SAYS: warning: count-mismatch: rank 0 sends 4 x MPI_INT \(MPI_Gather at .*, but rank 0 receives 2 x MPI_INT \(MPI_Gather
 * SAYS: error: count-mismatch: rank 0 sends 4 x MPI_INT \(MPI_Scatter at .*, but rank 0 receives 2 x MPI_INT \(MPI_Scatter
 * SAYS: rank 0 failed with MPI_ERR_TRUNCATE
 * SAYS: 2 findings
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int out[4] = {0}, in[4] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Gather(out, 4, MPI_INT, in, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_ARE_FATAL);
    MPI_Scatter(out, 4, MPI_INT, in, 2, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
