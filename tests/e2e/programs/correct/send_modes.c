/* SPDX-License-Identifier: BSD-3-Clause */
/* Every mode of sending, blocking and nonblocking; receives are posted before the ready sends.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 5
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Request request[3];
    int take[5];
    MPI_Request posted[5];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Rsend(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Irsend(&out, 1, MPI_INT, 1, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Issend(&out, 1, MPI_INT, 1, 2, MPI_COMM_WORLD, &request[1]);
        MPI_Isend(&out, 1, MPI_INT, 1, 3, MPI_COMM_WORLD, &request[2]);
        MPI_Ssend(&out, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        MPI_Waitall(3, request, MPI_STATUSES_IGNORE);
        MPI_Recv(&in, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        printf("%d\n", in);
    } else {
        for (int i = 0; i < 5; i++)
            MPI_Irecv(&take[i], 1, MPI_INT, 0, i, MPI_COMM_WORLD, &posted[i]);
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Waitall(5, posted, MPI_STATUSES_IGNORE);
        for (int i = 0; i < 5; i++)
            in += take[i];
        MPI_Send(&in, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
