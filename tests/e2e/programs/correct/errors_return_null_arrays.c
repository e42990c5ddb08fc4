/* SPDX-License-Identifier: BSD-3-Clause */
/* No array of requests where one is needed: with MPI_ERRORS_RETURN the calls fail and the program
 * goes on.
 *
 * RANKS: 2
 * EXPECT: clean
 * MAYBE: request-misuse
 * FINDING: invalid-argument warning
 * OUTPUT: 8 failed
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int flag;
    int failed = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    failed += MPI_Wait(NULL, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    failed += MPI_Waitall(2, NULL, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
    failed += MPI_Waitany(2, NULL, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    failed += MPI_Test(NULL, &flag, MPI_STATUS_IGNORE) != MPI_SUCCESS;
    failed += MPI_Testall(2, NULL, &flag, MPI_STATUSES_IGNORE) != MPI_SUCCESS;
    failed += MPI_Startall(2, NULL) != MPI_SUCCESS;
    failed += MPI_Cancel(NULL) != MPI_SUCCESS;
    failed += MPI_Request_free(NULL) != MPI_SUCCESS;
    if (rank == 0)
        printf("%d failed\n", failed);
    MPI_Finalize();
    return 0;
}
