/* SPDX-License-Identifier: BSD-3-Clause */
/* A message to oneself with the receive posted first.
 *
 * RANKS: 1
 * EXPECT: clean
 * OUTPUT: 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int out = 1;
    int box[1] = {0};
    MPI_Request request[1];

    MPI_Init(&argc, &argv);
    MPI_Irecv(&box[0], 1, MPI_INT, 0, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Wait(&request[0], MPI_STATUS_IGNORE);
    printf("%d\n", box[0]);
    MPI_Finalize();
    return 0;
}
