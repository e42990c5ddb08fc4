/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 waits for somebody of one group and for somebody of another (all of these, any of those);
 * the others wait in a circle that closes in rank 0.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,1,2,3}
 * CALL: 0 MPI_Waitall HERE
 * CALL: 1 MPI_Recv
 * CALL: 3 MPI_Recv
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Comm group[2];
    MPI_Request request[2];
    int value[2] = {0, 0};
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 3 ? MPI_UNDEFINED : 0, rank, &group[0]);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 1 ? MPI_UNDEFINED : 0, rank, &group[1]);
    if (rank == 0) {
        for (int i = 0; i < 2; i++)
            MPI_Irecv(&value[i], 1, MPI_INT, MPI_ANY_SOURCE, 0, group[i], &request[i]);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE); /* HERE */
    } else {
        MPI_Recv(&value[0], 1, MPI_INT, rank == 2 ? 0 : 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
