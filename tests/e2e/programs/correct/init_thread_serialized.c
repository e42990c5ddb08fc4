/* SPDX-License-Identifier: BSD-3-Clause */
/* The thread level that the program asked for is the one it gets.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 2 2 2
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int provided;
    int level;

    MPI_Init_thread(&argc, &argv, MPI_THREAD_SERIALIZED, &provided);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Query_thread(&level);
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d %d %d\n", provided, level, in);
    MPI_Finalize();
    return 0;
}
