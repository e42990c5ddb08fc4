/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Waitany returns with the message of rank 2; only then does rank 0 send what rank 1 waits
 * for.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 1 2
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
    int first;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Irecv(&box[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&box[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitany(2, request, &first, MPI_STATUS_IGNORE);
        MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Wait(&request[1 - first], MPI_STATUS_IGNORE);
        printf("%d %d\n", first, box[0] + box[1]);
        break;
    case 1:
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        break;
    default:
        MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
