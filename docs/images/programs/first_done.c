/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 waits for the result of ranks 1 and 2, and then for the statistics of the one that was
 * done first. Only rank 1 sends any.
 *
 * RANKS: 3
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, done, value[2], statistics = 0;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Irecv(&value[0], 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&value[1], 1, MPI_INT, 2, 0, MPI_COMM_WORLD, &request[1]);
        MPI_Waitany(2, request, &done, MPI_STATUS_IGNORE);
        MPI_Recv(&statistics, 1, MPI_INT, done + 1, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    } else {
        MPI_Send(&rank, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    if (rank == 1)
        MPI_Send(&statistics, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
