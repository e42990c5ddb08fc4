/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 chapter 13: arguments of collective calls on files that must be the same at all ranks.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS: different values of amode to MPI_File_open on MPI_COMM_WORLD: MPI_MODE_RDWR \| MPI_MODE_CREATE at rank 0 \(.*\), MPI_MODE_RDWR \| MPI_MODE_CREATE \| MPI_MODE_DELETE_ON_CLOSE at rank 1
 * SAYS: different values of flag to MPI_File_set_atomicity on .*: true at rank 0 \(.*\), false at rank 1
 * SAYS: different values of extent of etype to MPI_File_set_view on .*: 4 at rank 0 \(.*\), 8 at rank 1
 * SAYS: different values of datarep to MPI_File_set_view on .*: native at rank 0 \(.*\), external32 at rank 1
 * SAYS: different values of offset to MPI_File_seek_shared on .*: 4 at rank 0 \(.*\), 8 at rank 1
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

static const char *const name = "equal_wrong.data";

int main(int argc, char **argv)
{
    MPI_File file;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, name,
                  MPI_MODE_RDWR | MPI_MODE_CREATE | (rank == 1 ? MPI_MODE_DELETE_ON_CLOSE : 0),
                  MPI_INFO_NULL, &file);
    if (file != MPI_FILE_NULL)
        MPI_File_close(&file);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE,
                  MPI_INFO_NULL, &file);
    MPI_File_set_atomicity(file, rank == 0);
    MPI_File_set_view(file, 0, rank == 0 ? MPI_INT : MPI_DOUBLE, rank == 0 ? MPI_INT : MPI_DOUBLE,
                      "native", MPI_INFO_NULL);
    MPI_File_set_view(file, 0, MPI_INT, MPI_INT, rank == 0 ? "native" : "external32",
                      MPI_INFO_NULL);
    MPI_File_seek_shared(file, 4 + 4 * rank, MPI_SEEK_SET);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
