/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints of a file and a window are set and read, sizes reserved and asked for, and the file read
 * and written by every collective that is not split, blocking and not.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: size 16, sum 16
 */
#include <mpi.h>
#include <stdio.h>

static int write_and_read(MPI_File file, int rank)
{
    int word = 5 + rank;
    int in[3] = {0, 0, 0};
    MPI_Request request;

    MPI_File_write_at_all(file, rank * 4, &word, 4, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_seek(file, rank * 4, MPI_SEEK_SET);
    MPI_File_iwrite_all(file, &word, 4, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_File_seek(file, rank * 4, MPI_SEEK_SET);
    MPI_File_read_all(file, &in[0], 4, MPI_BYTE, MPI_STATUS_IGNORE);
    MPI_File_seek(file, (1 - rank) * 4, MPI_SEEK_SET);
    MPI_File_iread_all(file, &in[1], 4, MPI_BYTE, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered(file, &in[2], 4, MPI_BYTE, MPI_STATUS_IGNORE);
    return in[0] + in[1] + in[2];
}

static MPI_Info create_hints(void)
{
    MPI_Info info;

    MPI_Info_create(&info);
    MPI_Info_set(info, "access_style", "read_once");
    return info;
}

int main(int argc, char **argv)
{
    int rank;
    int sum;
    int cell = 0;
    MPI_Offset size;
    MPI_Info info;
    MPI_Info used;
    MPI_File file;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    info = create_hints();
    MPI_File_open(MPI_COMM_WORLD, "hints.data", MPI_MODE_RDWR | MPI_MODE_CREATE, info, &file);
    MPI_File_set_info(file, info);
    MPI_File_get_info(file, &used);
    MPI_Info_free(&used);
    MPI_File_set_atomicity(file, 1);
    MPI_File_preallocate(file, 16);
    MPI_File_get_size(file, &size);
    sum = write_and_read(file, rank);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_close(&file);
    MPI_Win_create(&cell, sizeof(cell), 1, info, MPI_COMM_WORLD, &window);
    MPI_Win_set_info(window, info);
    MPI_Win_get_info(window, &used);
    MPI_Info_free(&used);
    MPI_Win_free(&window);
    MPI_Info_free(&info);
    if (rank == 0) {
        printf("size %d, sum %d\n", (int)size, sum);
        MPI_File_delete("hints.data", MPI_INFO_NULL);
    }
    MPI_Finalize();
    return 0;
}
