/* SPDX-License-Identifier: BSD-3-Clause */
/* Split collective operations (MPI-3.1 section 13.4.5): begun twice, with a collective access in
 * between, not ended before the file is synchronized, and ended by the call of another kind.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: file-misuse warning
 * SAYS: MPI_File_write_all .* before the split collective operation of MPI_File_write_at_all_begin
 * SAYS: MPI_File_sync .* before the split collective operation of MPI_File_write_at_all_begin
 * SAYS: MPI_File_write_all_begin .* before that of MPI_File_write_at_all_begin .* has ended
 * SAYS: MPI_File_write_all_end .* operation of MPI_File_write_at_all_begin .* of another kind
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int word = 1;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_File_open(MPI_COMM_WORLD, "split.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_at_all_begin(file, 0, &word, 1, MPI_INT);
    MPI_File_write_all(file, &word, 1, MPI_INT, MPI_STATUS_IGNORE); /* HERE */
    MPI_File_sync(file);                                            /* HERE */
    MPI_File_write_all_begin(file, &word, 1, MPI_INT);              /* HERE */
    MPI_File_write_at_all_end(file, &word, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file, 0, &word, 1, MPI_INT);
    MPI_File_write_all_end(file, &word, MPI_STATUS_IGNORE); /* HERE */
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
