/* SPDX-License-Identifier: BSD-3-Clause */
/* The exit code of the application passes through.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * EXIT: 7
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int code;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    code = rank == 1 ? 7 : 0;
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return code;
}
