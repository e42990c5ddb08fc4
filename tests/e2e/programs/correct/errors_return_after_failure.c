/* SPDX-License-Identifier: BSD-3-Clause */
/* A collective call that fails after it has communicated (the message is longer than the buffer)
 * was made: it is not repeated.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: count-mismatch warning
 * OUTPUT: sum 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int word[64] = {0};
    int one = 1;
    int sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Bcast(word, rank == 0 ? 64 : 16, MPI_INT, 0, MPI_COMM_WORLD);
    MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", sum);
    MPI_Finalize();
    return 0;
}
