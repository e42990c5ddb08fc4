/* SPDX-License-Identifier: BSD-3-Clause */
/* With MPI_ERRORS_RETURN a send to a rank that does not exist fails, and the program goes on.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 1 1
 * FINDING: invalid-argument warning
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int code;
    int failed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    code = MPI_Send(&out, 1, MPI_INT, 99, 0, MPI_COMM_WORLD);
    MPI_Error_class(code, &failed);
    MPI_Sendrecv(&out, 1, MPI_INT, 1 - rank, 0, &in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d %d\n", failed == MPI_ERR_RANK, in);
    MPI_Finalize();
    return 0;
}
