/* SPDX-License-Identifier: BSD-3-Clause */
/* Hints for a communicator, a window and a file: collective calls that need not wait.
 *
 * RANKS: 3
 * EXPECT: clean
 */
#include <mpi.h>
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank, cell = 0;
    char name[64];
    MPI_Info info;
    MPI_Win window;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Info_create(&info);
    MPI_Info_set(info, "hint", "none");
    MPI_Comm_set_info(MPI_COMM_WORLD, info);
    MPI_Win_create(&cell, sizeof(cell), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_info(window, info);
    snprintf(name, sizeof(name), "set_info.%d", (int)getppid());
    MPI_File_open(MPI_COMM_SELF, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_info(file, info);
    MPI_File_close(&file);
    MPI_Win_free(&window);
    MPI_Info_free(&info);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
