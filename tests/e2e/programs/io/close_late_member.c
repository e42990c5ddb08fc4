/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 2 waits for a message before it closes the file; the sender is already in MPI_File_close.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,2}
 * CALL: 0 MPI_File_close HERE
 * CALL: 1 MPI_File_close HERE
 * CALL: 2 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "late.tmp", mode, MPI_INFO_NULL, &file);
    if (rank == 2)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_File_close(&file);                                                  /* HERE */
    MPI_Finalize();
    return 0;
}
