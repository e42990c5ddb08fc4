/* SPDX-License-Identifier: BSD-3-Clause */
/* A file written and read by both ranks together.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 41
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    const char *name = "shared.tmp";
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    out = rank + 40;
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof(out), &out, 1, MPI_INT,
                          MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_read_at_all(file, (1 - rank) * (MPI_Offset)sizeof(in), &in, 1, MPI_INT,
                         MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
