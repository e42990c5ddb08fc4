/* SPDX-License-Identifier: BSD-3-Clause */
/* Access modes that exclude each other, and calls that the mode of a file does not allow (MPI-3.1
 * sections 13.2.1, 13.3 and 13.4). Errors on files are returned to the application.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: file-misuse warning
 * SAYS: MPI_File_open .* has 0 of the modes MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY
 * SAYS: MPI_File_open .* has 2 of the modes MPI_MODE_RDONLY, MPI_MODE_RDWR and MPI_MODE_WRONLY
 * SAYS: MPI_File_open .* has MPI_MODE_RDONLY with MPI_MODE_CREATE or MPI_MODE_EXCL
 * SAYS: MPI_File_open .* has MPI_MODE_SEQUENTIAL with MPI_MODE_RDWR
 * SAYS: MPI_File_read_at .modes_wrong.c:\d+\) .* reads a file that MPI_File_open .modes_wrong.c:\d+
 * SAYS: MPI_File_write_all .* writes a file that MPI_File_open .modes_wrong.c:\d+\) opened with
 * SAYS: MPI_File_write_at .* is called for a file that .* opened with MPI_MODE_SEQUENTIAL
 * SAYS: MPI_File_get_position .* is called for a file that .* opened with MPI_MODE_SEQUENTIAL
 * SAYS: MPI_File_set_size .* is called for a file that .* opened with MPI_MODE_SEQUENTIAL
 * SAYS: MPI_File_set_view .* has displacement 0 for a file that .* opened with MPI_MODE_SEQUENTIAL
 * SAYS: MPI_File_set_view .* has MPI_DISPLACEMENT_CURRENT for the file of MPI_File_open
 * SAYS: MPI_File_seek .* seeks position -4 of the view
 * SAYS_LINE: HERE
 */
#include <mpi.h>

enum { NEW = MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE };

static MPI_File open_file(const char *name, int amode)
{
    MPI_File file = MPI_FILE_NULL;

    MPI_File_open(MPI_COMM_SELF, name, amode, MPI_INFO_NULL, &file);
    return file;
}

static void open_wrongly(void)
{
    MPI_File file;
    int modes[4] = {NEW, NEW | MPI_MODE_RDONLY | MPI_MODE_WRONLY, NEW | MPI_MODE_RDONLY,
                    NEW | MPI_MODE_RDWR | MPI_MODE_SEQUENTIAL};
    int results[4];

    results[0] = MPI_File_open(MPI_COMM_SELF, "a.tmp", modes[0], MPI_INFO_NULL, &file); /* HERE */
    if (results[0] == MPI_SUCCESS)
        MPI_File_close(&file);
    results[1] = MPI_File_open(MPI_COMM_SELF, "a.tmp", modes[1], MPI_INFO_NULL, &file); /* HERE */
    if (results[1] == MPI_SUCCESS)
        MPI_File_close(&file);
    results[2] = MPI_File_open(MPI_COMM_SELF, "a.tmp", modes[2], MPI_INFO_NULL, &file); /* HERE */
    if (results[2] == MPI_SUCCESS)
        MPI_File_close(&file);
    results[3] = MPI_File_open(MPI_COMM_SELF, "a.tmp", modes[3], MPI_INFO_NULL, &file); /* HERE */
    if (results[3] == MPI_SUCCESS)
        MPI_File_close(&file);
}

static void set_view(MPI_File file, MPI_Offset at)
{
    MPI_File_set_view(file, at, MPI_INT, MPI_INT, "native", MPI_INFO_NULL); /* HERE */
}

int main(int argc, char **argv)
{
    int word = 1;
    MPI_Offset position;
    MPI_File out, in, tape;

    MPI_Init(&argc, &argv);
    open_wrongly();
    out = open_file("b.tmp", MPI_MODE_CREATE | MPI_MODE_WRONLY);
    MPI_File_read_at(out, 0, &word, 1, MPI_INT, MPI_STATUS_IGNORE); /* HERE */
    MPI_File_seek(out, -4, MPI_SEEK_SET);                           /* HERE */
    set_view(out, MPI_DISPLACEMENT_CURRENT);
    MPI_File_close(&out);
    in = open_file("b.tmp", MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE);
    MPI_File_write_all(in, &word, 1, MPI_INT, MPI_STATUS_IGNORE); /* HERE */
    MPI_File_close(&in);
    tape = open_file("c.tmp", NEW | MPI_MODE_WRONLY | MPI_MODE_SEQUENTIAL);
    MPI_File_write_at(tape, 0, &word, 1, MPI_INT, MPI_STATUS_IGNORE); /* HERE */
    MPI_File_get_position(tape, &position);                           /* HERE */
    MPI_File_set_size(tape, 10);                                      /* HERE */
    set_view(tape, 0);
    MPI_File_close(&tape);
    MPI_Finalize();
    return 0;
}
