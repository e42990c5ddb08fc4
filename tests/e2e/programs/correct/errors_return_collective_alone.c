/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective with wrong arguments fails on one rank only, without having started: the next one is
 * that rank's first.
 *
 * RANKS: 2
 * EXPECT: clean
 * FINDING: invalid-argument warning
 * FINDING: invalid-handle warning
 * OUTPUT: sum 3
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 0;
    int sum = 0;
    MPI_Comm comm;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Bcast(&word, -1, MPI_INT, 0, MPI_COMM_WORLD);
        MPI_Allreduce(&word, &sum, 1, MPI_DATATYPE_NULL, MPI_SUM, MPI_COMM_WORLD);
        MPI_Comm_split(MPI_COMM_WORLD, -7, 0, &comm);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    rank++;
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 1)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
