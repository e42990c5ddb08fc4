/* SPDX-License-Identifier: BSD-3-Clause */
/* A split collective operation is ended that was not begun (MPI-3.1 section 13.4.5). Open MPI 4.1
 * crashes in the call: the finding says so.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: file-misuse error
 * SAYS: MPI_File_write_all_end .* of ranks 0 and 1 ends a split collective operation that was not begun
 * SAYS_LINE: HERE
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int word = 1;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "split.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_all_end(file, &word, MPI_STATUS_IGNORE); /* HERE */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
