/* SPDX-License-Identifier: BSD-3-Clause */
/* A grid that is not periodic: shifts at the border give MPI_PROC_NULL. The rows are taken out
 * with MPI_Cart_sub.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: -4
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int sum = 0;
    int from;
    int to;
    MPI_Comm grid;
    MPI_Comm row;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, 2}, (int[]){0, 0}, 0, &grid);
    for (int axis = 0; axis < 2; axis++) {
        MPI_Cart_shift(grid, axis, 1, &from, &to);
        in = -1;
        out = rank;
        MPI_Sendrecv(&out, 1, MPI_INT, to, 0, &in, 1, MPI_INT, from, 0, grid, MPI_STATUS_IGNORE);
        sum += (axis + 1) * in;
    }
    MPI_Cart_sub(grid, (int[]){0, 1}, &row);
    MPI_Reduce(&sum, &in, 1, MPI_INT, MPI_SUM, 0, row);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
