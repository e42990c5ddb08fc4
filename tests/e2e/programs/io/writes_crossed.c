/* SPDX-License-Identifier: BSD-3-Clause */
/* Two files, two collective writes, opposite order; a library that writes without the other rank
 * lets it pass.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_File_write_all HERE
 * CALL: 1 MPI_File_write_all HERE
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
    MPI_File_write_all(file[rank], &out, 1, MPI_INT, MPI_STATUS_IGNORE); /* HERE */
    MPI_File_write_all(file[1 - rank], &out, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file[0]);
    MPI_File_close(&file[1]);
    MPI_Finalize();
    return 0;
}
