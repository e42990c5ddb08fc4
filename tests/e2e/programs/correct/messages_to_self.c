/* SPDX-License-Identifier: BSD-3-Clause */
/* Messages of every rank to itself, on the world and on MPI_COMM_SELF.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 20
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int out = 1;
    int box[2] = {0};
    MPI_Request request[2];
    int sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 5; i++) {
        out = rank + i;
        MPI_Irecv(&box[0], 1, MPI_INT, rank, i, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&box[1], 1, MPI_INT, MPI_ANY_SOURCE, i, MPI_COMM_SELF, &request[1]);
        MPI_Ssend(&out, 1, MPI_INT, rank, i, MPI_COMM_WORLD);
        MPI_Send(&out, 1, MPI_INT, 0, i, MPI_COMM_SELF);
        MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
        sum += box[0] + box[1];
    }
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
