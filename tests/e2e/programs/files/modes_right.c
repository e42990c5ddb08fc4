/* SPDX-License-Identifier: BSD-3-Clause */
/* Files are used as their modes allow (MPI-3.1 sections 13.2.1 and 13.4): a sequential file with
 * the shared pointer, one that was written is read, an empty read of a file that is open to write,
 * and a seek backwards.
 *
 * RANKS: 1
 * EXPECT: clean
 * OUTPUT: read 7 and 8
 */
#include <mpi.h>
#include <stdio.h>

static MPI_File open_file(int amode)
{
    MPI_File file = MPI_FILE_NULL;

    if (MPI_File_open(MPI_COMM_SELF, "right.tmp", amode, MPI_INFO_NULL, &file) != MPI_SUCCESS)
        MPI_Abort(MPI_COMM_WORLD, 1);
    return file;
}

int main(int argc, char **argv)
{
    int words[2] = {7, 8}, seen[2] = {0, 0};
    MPI_File file;

    MPI_Init(&argc, &argv);
    file = open_file(MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    MPI_File_write_shared(file, &words[0], 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_ordered(file, &words[1], 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    file = open_file(MPI_MODE_WRONLY | MPI_MODE_APPEND);
    MPI_File_read(file, seen, 0, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    file = open_file(MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE);
    MPI_File_seek(file, sizeof(int), MPI_SEEK_SET);
    MPI_File_seek(file, -(MPI_Offset)sizeof(int), MPI_SEEK_CUR);
    MPI_File_read(file, &seen[0], 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_read_at(file, sizeof(int), &seen[1], 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    printf("read %d and %d\n", seen[0], seen[1]);
    MPI_Finalize();
    return 0;
}
