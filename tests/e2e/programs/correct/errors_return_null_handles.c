/* SPDX-License-Identifier: BSD-3-Clause */
/* No place for a handle where one is needed: with MPI_ERRORS_RETURN the calls fail and the program
 * goes on.
 *
 * RANKS: 2
 * EXPECT: clean
 * FINDING: invalid-argument warning
 * OUTPUT: 5 failed
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int flag;
    int index;
    int count;
    int failed = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_File_set_errhandler(MPI_FILE_NULL, MPI_ERRORS_RETURN);
    failed += MPI_Waitsome(2, NULL, &count, &index, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
    failed += MPI_Testany(2, NULL, &index, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    failed += MPI_Testsome(2, NULL, &count, &index, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
    failed += MPI_Start(NULL) != MPI_SUCCESS;
    failed += MPI_File_close(NULL) != MPI_SUCCESS;
    if (rank == 0)
        printf("%d failed\n", failed);
    MPI_Finalize();
    return 0;
}
