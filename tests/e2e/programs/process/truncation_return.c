/* SPDX-License-Identifier: BSD-3-Clause */
/* A message longer than the receive buffer is an error of the receive; the pair is matched all
 * the same.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * OUTPUT: 1
 * FINDING: truncation warning
 * SAYS: The error was returned to the application
 * LAST: 0: MPI_Send LONGER; ...
 * LAST: 1: MPI_Recv SHORT; ...
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int pair[2] = {1, 2};

    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    if (rank == 0) {
        MPI_Send(pair, 2, MPI_INT, 1, 0, MPI_COMM_WORLD); /* LONGER */
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d\n", in);
    } else {
        code = MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* SHORT */
        MPI_Error_class(code, &code);
        out = code == MPI_ERR_TRUNCATE;
        MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
