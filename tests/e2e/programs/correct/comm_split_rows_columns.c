/* SPDX-License-Identifier: BSD-3-Clause */
/* A two by two grid of ranks, cut in rows and in columns.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 21
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Comm row;
    MPI_Comm column;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    out = rank + 1;
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &row);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &column);
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, row);
    MPI_Allreduce(&in, &out, 1, MPI_INT, MPI_PROD, column);
    MPI_Comm_free(&row);
    MPI_Comm_free(&column);
    if (rank == 0)
        printf("%d\n", out);
    MPI_Finalize();
    return 0;
}
