/* SPDX-License-Identifier: BSD-3-Clause */
/* A server answers whoever asked, four times; the tag tells the request apart.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 6
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int sum = 0;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        for (int i = 0; i < 4; i++) {
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            sum += in * status.MPI_TAG;
            MPI_Send(&sum, 1, MPI_INT, status.MPI_SOURCE, 0, MPI_COMM_WORLD);
        }
        printf("%d\n", sum);
    } else {
        for (int i = 1; i <= 2; i++) {
            MPI_Send(&out, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
            MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    MPI_Finalize();
    return 0;
}
