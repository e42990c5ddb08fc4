/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 13.3, 13.4.1 and 13.6.6: a filetype consists of copies of the etype, and the
 * basic types of the buffer are those of whole etypes. A file that may be written has no datatypes
 * with entries that overlap. Here the library finds some of it, and errors of files return.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: type-mismatch warning
 * FINDING: file-misuse warning
 * FINDING: datatype-misuse warning
 * SAYS: warning: type-mismatch: the filetype of MPI_File_set_view \(view_types.c:\d+\) of rank 0 has 4 x MPI_FLOAT, but the etype has 1 x MPI_INT
 * SAYS: warning: type-mismatch: MPI_File_write_at \(view_types.c:\d+\) of rank 0 accesses 2 x MPI_FLOAT in a view with etypes of 2 x MPI_INT, set by MPI_File_set_view
 * SAYS: warning: type-mismatch: MPI_File_write_all \(view_types.c:\d+\) of rank 0 accesses 3 x MPI_INT in a view with etypes of 2 x MPI_INT, set by MPI_File_set_view
 * SAYS: warning: file-misuse: filetype of MPI_File_set_view \(view_types.c:\d+\) of rank 0 has entries that overlap, but MPI_File_open \(view_types.c:\d+\) opened the file to write
 * SAYS: warning: datatype-misuse: datatype in MPI_File_write \(view_types.c:\d+\) of rank 0 is the datatype of MPI_Type_contiguous \(view_types.c:\d+\), which is not committed
 * SAYS: 5 findings
 */
#include <mpi.h>

static MPI_File file;

static void access_file(MPI_Datatype pair, MPI_Datatype uncommitted)
{
    const int word[4] = {0};
    const float number[2] = {0};

    MPI_File_set_view(file, 0, pair, pair, "native", MPI_INFO_NULL);
    MPI_File_write_at(file, 0, number, 2, MPI_FLOAT, MPI_STATUS_IGNORE);
    MPI_File_write_all(file, word, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write(file, word, 1, uncommitted, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv)
{
    const int length[2] = {2, 2}, at[2] = {0, 1};
    MPI_Datatype pair, row, overlapping, uncommitted;

    MPI_Init(&argc, &argv);
    MPI_Type_contiguous(2, MPI_INT, &pair);
    MPI_Type_commit(&pair);
    MPI_Type_contiguous(4, MPI_FLOAT, &row);
    MPI_Type_commit(&row);
    MPI_Type_indexed(2, length, at, MPI_INT, &overlapping);
    MPI_Type_commit(&overlapping);
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    MPI_File_open(MPI_COMM_SELF, "view_types.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_view(file, 0, MPI_INT, row, "native", MPI_INFO_NULL);
    MPI_File_set_view(file, 0, MPI_INT, overlapping, "native", MPI_INFO_NULL);
    access_file(pair, uncommitted);
    MPI_File_close(&file);
    MPI_Type_free(&uncommitted);
    MPI_Type_free(&overlapping);
    MPI_Type_free(&row);
    MPI_Type_free(&pair);
    MPI_Finalize();
    return 0;
}
