/* SPDX-License-Identifier: BSD-3-Clause */
/* The shared file pointer: ordered writes, a shared write by one rank, ordered reads.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: read 9
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out;
    int all = 0;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    out = rank + 2;
    MPI_File_open(MPI_COMM_WORLD, "ordered.tmp",
                  MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_write_ordered(file, &out, 1, MPI_INT, MPI_STATUS_IGNORE);
    if (rank == 1)
        MPI_File_write_shared(file, &out, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_seek_shared(file, 0, MPI_SEEK_SET);
    MPI_File_read_ordered_begin(file, &in, 1, MPI_INT);
    MPI_File_read_ordered_end(file, &in, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    MPI_Reduce(&in, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("read %d\n", all);
    MPI_Finalize();
    return 0;
}
