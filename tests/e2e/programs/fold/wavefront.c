/* SPDX-License-Identifier: BSD-3-Clause */
/* A pipeline in both directions, as solvers of triangular systems have it; after many sweeps, one
 * rank sends another datatype than its neighbour receives.
 *
 * RANKS: 4
 * FOLDS: yes
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS_LINE: OTHER
 */
#include <mpi.h>

enum { SWEEPS = 1000, LINES = 4 };

static void sweep(int from, int to)
{
    int value = 0;

    for (int line = 0; line < LINES; line++) {
        MPI_Recv(&value, 1, MPI_INT, from, line, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&value, 1, MPI_INT, to, line, MPI_COMM_WORLD);
    }
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    float other = 0;
    int in;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    int up = rank > 0 ? rank - 1 : MPI_PROC_NULL;
    int down = rank + 1 < size ? rank + 1 : MPI_PROC_NULL;
    for (int i = 0; i < SWEEPS; i++) {
        sweep(up, down);
        sweep(down, up);
    }
    if (rank == 1)
        MPI_Send(&other, 1, MPI_FLOAT, 2, 0, MPI_COMM_WORLD); /* OTHER */
    if (rank == 2)
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < SWEEPS; i++)
        sweep(up, down);
    MPI_Finalize();
    return 0;
}
