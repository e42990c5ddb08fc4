/* SPDX-License-Identifier: BSD-3-Clause */
/* One-sided operations between fences.
 *
 * RANKS: 2
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
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&in, sizeof(in), sizeof(in), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    out = rank + 5;
    MPI_Put(&out, 1, MPI_INT, 1 - rank, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
