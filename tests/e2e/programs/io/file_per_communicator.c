/* SPDX-License-Identifier: BSD-3-Clause */
/* A file of all ranks, one of each half, one of each rank, and one that is not there.
 *
 * RANKS: 4
 * EXPECT: clean
 * OUTPUT: sum 60
 */
#include <mpi.h>
#include <stdio.h>

static int write_and_read(MPI_Comm comm, const char *name, int number)
{
    char path[64];
    int rank;
    int in = 0;
    int out;
    MPI_File file;

    MPI_Comm_rank(comm, &rank);
    out = rank + 1;
    snprintf(path, sizeof(path), "%s%d.tmp", name, number);
    MPI_File_open(comm, path, MPI_MODE_CREATE | MPI_MODE_RDWR | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_write_at_all(file, rank * (MPI_Offset)sizeof(out), &out, 1, MPI_INT,
                          MPI_STATUS_IGNORE);
    MPI_File_sync(file);
    MPI_Barrier(comm);
    MPI_File_sync(file);
    MPI_File_read_at(file, rank * (MPI_Offset)sizeof(in), &in, 1, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    return in;
}

int main(int argc, char **argv)
{
    int rank;
    int sum;
    int all = 0;
    MPI_Comm half;
    MPI_File none;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &half);
    sum = write_and_read(MPI_COMM_WORLD, "all", 0);
    sum += write_and_read(half, "half", rank % 2);
    sum += write_and_read(MPI_COMM_SELF, "self", rank);
    if (MPI_File_open(half, "not-there.tmp", MPI_MODE_RDONLY, MPI_INFO_NULL, &none) != MPI_SUCCESS)
        sum += 10;
    MPI_Barrier(half);
    MPI_Comm_free(&half);
    MPI_Reduce(&sum, &all, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD);
    if (rank == 0)
        printf("sum %d\n", all);
    MPI_Finalize();
    return 0;
}
