/* SPDX-License-Identifier: BSD-3-Clause */
/* The size of MPI_File_preallocate must be the same at all ranks. The library may let one of them
 * wait for ever.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS: different values of size to MPI_File_preallocate on .*: 16 at rank 0 \(.*\), 17 at rank 1
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "preallocate_wrong.data",
                  MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_preallocate(file, 16 + rank);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
