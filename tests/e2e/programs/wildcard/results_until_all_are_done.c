/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank sends some results, and then that it has no more, with another tag; how many there are
 * nobody knows before.
 *
 * RANKS: 5
 * EXPECT: clean
 * OUTPUT: 30
 */
#include <mpi.h>
#include <stdio.h>

enum { RESULT = 1, DONE = 2 };

int main(int argc, char **argv)
{
    MPI_Status status;
    int rank, size, in, results = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank > 0) {
        for (int i = 0; i < 3 * rank; i++)
            MPI_Send(&i, 1, MPI_INT, 0, RESULT, MPI_COMM_WORLD);
        MPI_Send(&rank, 1, MPI_INT, 0, DONE, MPI_COMM_WORLD);
    } else {
        for (int left = size - 1; left > 0; left -= status.MPI_TAG == DONE) {
            MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
            results += status.MPI_TAG == RESULT;
        }
        printf("%d\n", results);
    }
    MPI_Finalize();
    return 0;
}
