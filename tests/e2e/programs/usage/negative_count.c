/* SPDX-License-Identifier: BSD-3-Clause */
/* Two ranks send a negative number of elements, five times each (MPI-3.1 section 3.2.2: the count
 * is nonnegative). Errors are returned, so the program goes on.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * SAYS: count is -2 to -1 in MPI_Send \(negative_count.c:\d+\) of ranks 0 and 1, 5 times each
 * SAYS: A count must not be negative \(MPI-3.1 section 3.2.2\)
 * SAYS: The error was returned to the application: MPI_ERR_COUNT
 * OUTPUT: 5 errors
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, word = 0, errors = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    for (int i = 0; i < 5; i++)
        errors += MPI_Send(&word, -1 - rank, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD) != MPI_SUCCESS;
    if (rank == 0)
        printf("%d errors\n", errors);
    MPI_Finalize();
    return 0;
}
