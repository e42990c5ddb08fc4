/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 sends after the end of a split collective that rank 1 begins only when it has the message;
 * a library that writes without the other rank lets it pass.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * SAYS: because the MPI library completed a collective operation before all ranks had started it\. MPI does not guarantee that
 * CALL: 0 MPI_File_write_at_all_end HERE
 * CALL: 1 MPI_Recv HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_File file;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_File_open(MPI_COMM_WORLD, "split.tmp",
                  MPI_MODE_CREATE | MPI_MODE_WRONLY | MPI_MODE_DELETE_ON_CLOSE, MPI_INFO_NULL,
                  &file);
    if (rank == 1)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_File_write_at_all_begin(file, rank, &out, 1, MPI_BYTE);
    MPI_File_write_at_all_end(file, &out, MPI_STATUS_IGNORE); /* HERE */
    if (rank == 0)
        MPI_Send(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
    MPI_File_close(&file);
    MPI_Finalize();
    return 0;
}
