/* SPDX-License-Identifier: BSD-3-Clause */
/* Two persistent collectives are made in the same order and started in opposite orders.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 30 20
 */
#include <mpi.h>
#include <mpi-ext.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 0;
    int mine = 0;
    int sum = 0;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPIX_Bcast_init(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, MPI_INFO_NULL, &request[0]);
    MPIX_Allreduce_init(&mine, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, MPI_INFO_NULL,
                        &request[1]);
    for (int i = 0; i <= 10; i++) {
        if (rank == 0)
            word = 3 * i;
        mine = i;
        MPI_Start(&request[rank]);
        MPI_Start(&request[1 - rank]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&request[0]);
    MPI_Request_free(&request[1]);
    if (rank == 1)
        printf("%d %d\n", word, sum);
    MPI_Finalize();
    return 0;
}
