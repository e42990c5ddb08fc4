/* SPDX-License-Identifier: BSD-3-Clause */
/* What may differ among the ranks of a collective call on a file: displacements, filetypes, etypes
 * of one extent, hints, how a file name is written, buffers and counts.
 *
 * RANKS: 2
 * EXPECT: clean
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_File file, own;
    MPI_Datatype blocks;
    int rank, word = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_vector(1 + rank, 1, 4, MPI_INT, &blocks);
    MPI_Type_commit(&blocks);
    MPI_File_open(MPI_COMM_WORLD, rank == 0 ? "equal_right.data" : "./equal_right.data",
                  MPI_MODE_RDWR | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL, &file);
    MPI_File_set_size(file, 16);
    MPI_File_preallocate(file, 32);
    MPI_File_set_atomicity(file, rank + 1);
    MPI_File_set_view(file, 4 * rank, rank == 0 ? MPI_INT : MPI_FLOAT,
                      rank == 0 ? MPI_INT : MPI_FLOAT, "native", MPI_INFO_NULL);
    MPI_File_set_view(file, 4 * rank, MPI_INT, rank == 0 ? MPI_INT : blocks, "native",
                      MPI_INFO_NULL);
    MPI_File_write_all(file, &word, rank, MPI_INT, MPI_STATUS_IGNORE);
    MPI_File_close(&file);
    if (rank == 0) {
        MPI_File_open(MPI_COMM_SELF, "equal_own.data",
                      MPI_MODE_WRONLY | MPI_MODE_CREATE | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                      &own);
        MPI_File_set_size(own, 8);
        MPI_File_close(&own);
    }
    MPI_Type_free(&blocks);
    MPI_Finalize();
    return 0;
}
