/* SPDX-License-Identifier: BSD-3-Clause */
/* While a split collective operation is active, independent accesses to the file, and split
 * operations on another handle of the same file, are allowed (MPI-3.1 section 13.4.5).
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: wrote 1
 */
#include <mpi.h>
#include <stdio.h>

static MPI_File open_file(int amode)
{
    MPI_File file;

    MPI_File_open(MPI_COMM_WORLD, "twice.tmp", amode, MPI_INFO_NULL, &file);
    return file;
}

int main(int argc, char **argv)
{
    int rank, word = 1, seen = 0;
    MPI_Offset size;
    MPI_File file[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    file[0] = open_file(MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE);
    file[1] = open_file(MPI_MODE_RDWR);
    MPI_File_write_at_all_begin(file[0], 4 * rank, &word, 1, MPI_INT);
    MPI_File_write_at(file[0], 8 + 4 * rank, &word, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_begin(file[1], 16 + 4 * rank, &word, 1, MPI_INT);
    MPI_File_get_size(file[0], &size);
    MPI_File_write_at_all_end(file[1], &word, MPI_STATUS_IGNORE);
    MPI_File_write_at_all_end(file[0], &word, MPI_STATUS_IGNORE);
    MPI_File_read_at_all_begin(file[0], 4 * rank, &seen, 1, MPI_INT);
    MPI_File_read_at_all_end(file[0], &seen, MPI_STATUS_IGNORE);
    MPI_File_close(&file[1]);
    MPI_File_close(&file[0]);
    if (rank == 0)
        printf("wrote %d\n", seen);
    MPI_Finalize();
    return 0;
}
