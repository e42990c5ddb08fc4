/* SPDX-License-Identifier: BSD-3-Clause */
/* Ghost cells of a ring written by MPI_Put between fences.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: sum 400
 */
#include <mpi.h>
#include <stdio.h>

enum { CELLS = 10, ROUNDS = 100 };

int main(int argc, char **argv)
{
    int rank;
    int size;
    int sum = 0;
    int all = 0;
    int cell[CELLS + 2] = {0}; /* the first and the last are the neighbours' */
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    MPI_Win_create(cell, sizeof(cell), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, window);
    for (int i = 0; i < ROUNDS; i++) {
        cell[1] = cell[CELLS] = i;
        MPI_Put(&cell[1], 1, MPI_INT, (rank + size - 1) % size, CELLS + 1, 1, MPI_INT, window);
        MPI_Put(&cell[CELLS], 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
        MPI_Win_fence(0, window);
        sum += cell[0] == i && cell[CELLS + 1] == i;
        MPI_Win_fence(0, window);
    }
    MPI_Win_free(&window);
    MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", all);
    MPI_Finalize();
    return 0;
}
