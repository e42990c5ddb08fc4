/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.3.1: the type of the send must match that of the receive. Integers are received
 * as real numbers.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS: rank 0 sends 3 x MPI_INT \(MPI_Send at int_as_float.c:\d+\), but rank 1 receives 4 x MPI_FLOAT \(MPI_Recv at
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, out[3] = {1, 2, 3};
    float in[4];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Send(out, 3, MPI_INT, 1, 0, MPI_COMM_WORLD); /* HERE */
    else
        MPI_Recv(in, 4, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
