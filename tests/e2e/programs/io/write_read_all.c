/* SPDX-License-Identifier: BSD-3-Clause */
/* Blocks of a file written through a view and read back by the next rank, with all that belongs to
 * it: size, sync, atomicity.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: right 400
 */
#include <mpi.h>
#include <stdio.h>

enum { COUNT = 100 };

static int read_block(MPI_File file, int owner)
{
    int right = 0;
    int in[COUNT];

    MPI_File_read_at_all(file, (MPI_Offset)owner * COUNT, in, COUNT, MPI_INT, MPI_STATUS_IGNORE);
    for (int i = 0; i < COUNT; i++)
        right += in[i] == owner * 1000 + i;
    return right;
}

int main(int argc, char **argv)
{
    int rank;
    int size;
    int all = 0;
    int out[COUNT];
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < COUNT; i++)
        out[i] = rank * 1000 + i;
    MPI_File_open(MPI_COMM_WORLD, "blocks.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, (MPI_Offset)size * (MPI_Offset)sizeof(out));
    MPI_File_set_view(file, (MPI_Offset)rank * (MPI_Offset)sizeof(out), MPI_INT, MPI_INT, "native",
                      MPI_INFO_NULL);
    MPI_File_write_all(file, out, COUNT, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, "native", MPI_INFO_NULL);
    int right = read_block(file, (rank + 1) % size);
    MPI_File_close(&file);
    MPI_Reduce(&right, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("right %d\n", all);
    MPI_Finalize();
    return 0;
}
