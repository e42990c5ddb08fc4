/* SPDX-License-Identifier: BSD-3-Clause */
/* A message longer than the receive buffer ends the job by the default error handler. The
 * other rank waits for one that is gone, which may be said.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * MAYBE: manifest; 0; {1}
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int pair[2] = {1, 2};

    if (rank == 0) {
        MPI_Send(pair, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
