/* SPDX-License-Identifier: BSD-3-Clause */
/* Errors may return, but these calls are made, and they are not the same.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * SAYS: collective-mismatch
 * SAYS_LINE: HERE
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 0;
    int sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0)
        MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD); /* HERE */
    else
        MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD); /* HERE */
    MPI_Finalize();
    return sum;
}
