/* SPDX-License-Identifier: BSD-3-Clause */
/* The children call another collective than their parents on the intercommunicator.
 *
 * RANKS: 2
 * REPORT_RANKS: 3
 * EXPECT: no-deadlock
 * SAYS: collective-mismatch
 * SAYS: ranks 0 and 1 call MPI_Allreduce
 * SAYS: rank 2 calls MPI_Barrier
 * SAYS_LINE: HERE
 * PLAIN: any
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int sum = 0;
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_get_parent(&other);
    if (other == MPI_COMM_NULL) {
        MPI_Comm_spawn(argv[0], MPI_ARGV_NULL, 1, MPI_INFO_NULL, 0, MPI_COMM_WORLD, &other,
                       MPI_ERRCODES_IGNORE);
        MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, other); /* HERE */
    } else {
        MPI_Barrier(other); /* HERE */
    }
    MPI_Finalize();
    return 0;
}
