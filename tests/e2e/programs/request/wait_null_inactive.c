/* SPDX-License-Identifier: BSD-3-Clause */
/* Completion calls over null and inactive requests return at once.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 1 1
 * MAYBE: request-misuse
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Request request[2];
    int any;
    int some;
    int index[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    request[0] = MPI_REQUEST_NULL;
    MPI_Recv_init(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Waitany(2, request, &any, MPI_STATUS_IGNORE);
    MPI_Waitsome(2, request, &some, index, MPI_STATUSES_IGNORE);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    MPI_Wait(&request[1], MPI_STATUS_IGNORE);
    MPI_Request_free(&request[1]);
    if (rank == 0)
        printf("%d %d\n", any == MPI_UNDEFINED, some == MPI_UNDEFINED);
    MPI_Finalize();
    return 0;
}
