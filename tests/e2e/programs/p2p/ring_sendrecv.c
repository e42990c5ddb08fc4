/* SPDX-License-Identifier: BSD-3-Clause */
/* A ring of MPI_Sendrecv: both halves progress together.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 1
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
    int right = (rank + 1) % 4;
    int left = (rank + 3) % 4;

    MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
