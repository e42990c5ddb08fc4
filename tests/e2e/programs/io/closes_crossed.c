/* SPDX-License-Identifier: BSD-3-Clause */
/* Two files closed in opposite order.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_File_close HERE
 * CALL: 1 MPI_File_close HERE
 * SAYS: rank 0 calls MPI_File_close \(closes_crossed.c:\d+\) on MPI_File_open of .*:\d+, but rank 1 calls it \(closes_crossed.c:\d+\) on
 * ADVISES: before MPI_File_close \(closes_crossed.c:\d+\) on MPI_File_open of MPI_COMM_WORLD, at
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int out = 1;
    int mode = MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE;
    MPI_File file[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "first.tmp", mode, MPI_INFO_NULL, &file[0]);
    MPI_File_open(MPI_COMM_WORLD, "second.tmp", mode, MPI_INFO_NULL, &file[1]);
    MPI_File_write_at(file[0], rank, &out, 1, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_close(&file[rank]); /* HERE */
    MPI_File_close(&file[1 - rank]);
    MPI_Finalize();
    return 0;
}
