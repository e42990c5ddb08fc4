/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that name MPI_PROC_NULL return at once.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 0 0 1
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
    MPI_Status status;
    MPI_Status probed;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Send(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Ssend(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status);
    MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &probed);
    MPI_Isend(&out, 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Irecv(&box[1], 1, MPI_INT, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request[1]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Sendrecv(&out, 1, MPI_INT, MPI_PROC_NULL, 0, &in, 1, MPI_INT, MPI_PROC_NULL, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d %d %d\n", in, box[1],
               status.MPI_SOURCE == MPI_PROC_NULL && probed.MPI_TAG == MPI_ANY_TAG);
    MPI_Finalize();
    return 0;
}
