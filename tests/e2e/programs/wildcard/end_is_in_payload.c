/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank sends some results and at last a zero. Rank 0 counts the zeros and ignores all
 * statuses.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 18
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, size, in = 0, results = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        for (int i = 3 * rank; i >= 0; i--)
            MPI_Send(&i, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    } else {
        for (int left = size - 1; left > 0; left -= in == 0) {
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
            results += in > 0;
        }
        printf("%d\n", results);
    }
    MPI_Finalize();
    return 0;
}
