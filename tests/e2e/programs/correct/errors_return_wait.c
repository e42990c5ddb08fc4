/* SPDX-License-Identifier: BSD-3-Clause */
/* A failed nonblocking start leaves no request behind; the wait for the good one works.
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
    int box[2] = {0};
    MPI_Request request[2];
    int code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    request[0] = MPI_REQUEST_NULL;
    code = MPI_Irecv(&in, 1, MPI_INT, 77, 0, MPI_COMM_WORLD, &request[0]);
    if (code != MPI_SUCCESS)
        request[0] = MPI_REQUEST_NULL;
    MPI_Irecv(&box[1], 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Send(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    if (rank == 0)
        printf("%d %d\n", code != MPI_SUCCESS, box[1]);
    MPI_Finalize();
    return 0;
}
