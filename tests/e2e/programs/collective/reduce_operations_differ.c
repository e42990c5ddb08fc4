/* SPDX-License-Identifier: BSD-3-Clause */
/* One rank reduces with another operation: the text names both.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * SAYS: different operations to MPI_Allreduce on MPI_COMM_WORLD: MPI_SUM at ranks 0 and 1 \(.*\), MPI_MAX at rank 2
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in = 0, out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Allreduce(&out, &in, 1, MPI_INT, rank == 2 ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
