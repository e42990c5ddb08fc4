/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 sections 13.3 and 13.6.6: the etype MPI_BYTE, which is that of a file just opened,
 * matches every datatype, and has filetypes of every kind. The etype of a view may be freed. A
 * buffer may have another layout than the file.
 *
 * RANKS: 1
 * EXPECT: clean
 * OUTPUT: read 1 2 3
 */
#include <mpi.h>
#include <stdio.h>

static MPI_File open_file(int amode)
{
    MPI_File file = MPI_FILE_NULL;

    MPI_File_open(MPI_COMM_SELF, "view_types_right.tmp", amode, MPI_INFO_NULL, &file);
    return file;
}

static void write_file(void)
{
    const int word[6] = {1, 0, 2, 0, 3, 0};
    const float number = 0;
    MPI_Datatype column, element;
    MPI_File file = open_file(MPI_MODE_CREATE | MPI_MODE_WRONLY);

    MPI_File_write(file, &number, 1, MPI_FLOAT, MPI_STATUS_IGNORE);
    MPI_Type_vector(3, 1, 2, MPI_INT, &column);
    MPI_Type_commit(&column);
    MPI_Type_contiguous(1, MPI_INT, &element);
    MPI_Type_commit(&element);
    MPI_File_set_view(file, 0, MPI_BYTE, column, "native", MPI_INFO_NULL);
    MPI_File_set_view(file, 0, element, element, "native", MPI_INFO_NULL);
    MPI_Type_free(&element);
    MPI_File_write_at_all(file, 0, word, 1, column, MPI_STATUS_IGNORE);
    MPI_File_write(file, word, 0, MPI_DOUBLE, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&column);
}

int main(int argc, char **argv)
{
    const int length[2] = {1, 2}, at[2] = {0, 1};
    int seen[3] = {0};
    MPI_Datatype three;
    MPI_File file;

    MPI_Init(&argc, &argv);
    write_file();
    MPI_Type_indexed(2, length, at, MPI_INT, &three);
    MPI_Type_commit(&three);
    file = open_file(MPI_MODE_RDONLY | MPI_MODE_DELETE_ON_CLOSE);
    MPI_File_set_view(file, 0, MPI_INT, three, "native", MPI_INFO_NULL);
    MPI_File_read_all(file, seen, 3, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Type_free(&three);
    printf("read %d %d %d\n", seen[0], seen[1], seen[2]);
    MPI_Finalize();
    return 0;
}
