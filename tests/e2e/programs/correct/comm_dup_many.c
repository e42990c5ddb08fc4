/* SPDX-License-Identifier: BSD-3-Clause */
/* Communicators are duplicated, used and freed in a loop, so that the library gives out the
 * same handles again.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 525
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int size;
    int sum = 0;
    MPI_Comm copy[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int left = (rank + size - 1) % size;
    int right = (rank + 1) % size;

    for (int i = 0; i < 30; i++) {
        MPI_Comm_dup(MPI_COMM_WORLD, &copy[0]);
        MPI_Comm_dup(copy[0], &copy[1]);
        out = rank + i;
        MPI_Sendrecv(&out, 1, MPI_INT, right, 0, &in, 1, MPI_INT, left, 0, copy[i % 2],
                     MPI_STATUS_IGNORE);
        sum += in;
        MPI_Comm_free(&copy[0]);
        MPI_Barrier(copy[1]);
        MPI_Comm_free(&copy[1]);
    }
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
