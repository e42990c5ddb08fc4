/* SPDX-License-Identifier: BSD-3-Clause */
/* A column of a matrix is exchanged with MPI_Sendrecv_replace.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 1740
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int matrix[3][3];
    int sum = 0;
    MPI_Datatype column;

    for (int i = 0; i < 9; i++)
        matrix[i / 3][i % 3] = rank * 100 + i;
    MPI_Type_vector(3, 1, 3, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Sendrecv_replace(&matrix[0][1], 1, column, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    MPI_Type_free(&column);
    for (int i = 0; i < 9; i++)
        sum += (i + 1) * matrix[i / 3][i % 3];
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
