/* SPDX-License-Identifier: BSD-3-Clause */
/* The same four persistent requests are started and completed twenty times.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 3290
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request[4];
    int size;
    int give;
    int take[2];
    int sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;

    MPI_Recv_init(&take[0], 1, MPI_INT, left, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Recv_init(&take[1], 1, MPI_INT, right, 1, MPI_COMM_WORLD, &request[1]);
    MPI_Send_init(&give, 1, MPI_INT, right, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Ssend_init(&give, 1, MPI_INT, left, 1, MPI_COMM_WORLD, &request[3]);
    for (int step = 0; step < 20; step++) {
        give = rank + step;
        MPI_Startall(4, request);
        MPI_Waitall(4, request, MPI_STATUSES_IGNORE);
        sum += take[0] * take[1];
    }
    for (int i = 0; i < 4; i++)
        MPI_Request_free(&request[i]);
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
