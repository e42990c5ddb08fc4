/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 alone opens a file for all.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_File_open HERE
 * CALL: 1 MPI_Finalize
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_File_open(MPI_COMM_WORLD, "one.tmp", mode, MPI_INFO_NULL, &file); /* HERE */
    MPI_Finalize();
    return 0;
}
