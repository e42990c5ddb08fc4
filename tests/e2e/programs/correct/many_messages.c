/* SPDX-License-Identifier: BSD-3-Clause */
/* Thirty thousand round trips: more records than a ring of the tool holds.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 30001
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 30000; i++) {
        if (rank == 0) {
            MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
            MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            out = in;
        } else {
            MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            out = in + 1;
            MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
        }
    }
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
