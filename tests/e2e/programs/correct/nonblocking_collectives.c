/* SPDX-License-Identifier: BSD-3-Clause */
/* Several nonblocking collectives are on their way together with messages, and complete in one
 * MPI_Waitall.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 11 6 3 3 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Request request[8];
    int sum;
    int all[4];
    int gathered[4];
    int scanned;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int part[4] = {rank, rank, rank, rank};
    int next = (rank + 1) % 4;
    int previous = (rank + 3) % 4;

    out = rank == 1 ? 11 : 0;
    MPI_Ibcast(&out, 1, MPI_INT, 1, MPI_COMM_WORLD, &request[0]);
    MPI_Iallreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[1]);
    MPI_Irecv(&in, 1, MPI_INT, previous, 0, MPI_COMM_WORLD, &request[2]);
    MPI_Ialltoall(part, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD, &request[3]);
    MPI_Isend(&rank, 1, MPI_INT, next, 0, MPI_COMM_WORLD, &request[4]);
    MPI_Igather(&rank, 1, MPI_INT, gathered, 1, MPI_INT, 0, MPI_COMM_WORLD, &request[5]);
    MPI_Iexscan(&rank, &scanned, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request[6]);
    MPI_Ibarrier(MPI_COMM_WORLD, &request[7]);
    MPI_Waitall(8, request, MPI_STATUSES_IGNORE);
    if (rank == 0)
        printf("%d %d %d %d %d\n", out, sum, in, all[3], gathered[2]);
    MPI_Finalize();
    return 0;
}
