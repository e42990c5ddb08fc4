/* SPDX-License-Identifier: BSD-3-Clause */
/* Nonblocking barriers of two communicators may be started in any order.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: done
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Request request[2];
    MPI_Comm comm[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]);
    MPI_Ibarrier(comm[rank], &request[0]);
    MPI_Ibarrier(comm[1 - rank], &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Comm_free(&comm[0]);
    MPI_Comm_free(&comm[1]);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
