/* SPDX-License-Identifier: BSD-3-Clause */
/* Reductions and scans, also with an operation of the program.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 6 12 6
 */
#include <mpi.h>
#include <stdio.h>

static void keep_larger_square(void *in, void *inout, int *count, MPI_Datatype *type)
{
    const int *a = in;
    int *b = inout;

    (void)type;
    for (int i = 0; i < *count; i++)
        b[i] = a[i] * a[i] > b[i] * b[i] ? a[i] : b[i];
}

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int part[4] = {rank, rank + 1, rank + 2, rank + 3};
    int all[4];
    MPI_Op op;

    MPI_Op_create(keep_larger_square, 1, &op);
    MPI_Reduce(part, all, 4, MPI_INT, op, 2, MPI_COMM_WORLD);
    MPI_Bcast(all, 4, MPI_INT, 2, MPI_COMM_WORLD);
    MPI_Reduce_scatter_block(all, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Exscan(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Scan(&in, &out, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Reduce_scatter(part, &in, (int[]){1, 1, 1, 1}, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Op_free(&op);
    if (rank == 0)
        printf("%d %d %d\n", all[3], out, in);
    MPI_Finalize();
    return 0;
}
