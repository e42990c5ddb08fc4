/* SPDX-License-Identifier: BSD-3-Clause */
/* The ranks that share memory find each other.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: 4
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Comm node;
    MPI_Comm copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Allreduce(&out, &in, 1, MPI_INT, MPI_SUM, node);
    MPI_Comm_dup_with_info(node, MPI_INFO_NULL, &copy);
    MPI_Barrier(copy);
    MPI_Comm_free(&copy);
    MPI_Comm_free(&node);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
