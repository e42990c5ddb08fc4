/* SPDX-License-Identifier: BSD-3-Clause */
/* A window is freed although a target is locked, and another one is exposed when MPI_Finalize is
 * called (MPI-3.1 sections 11.2.5 and 8.7).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: epoch-misuse error
 * SAYS: MPI_Win_free \(not_ended.c:\d+\) of ranks 0 and 1 frees the window, but the epoch of MPI_Win
 * SAYS: but the epoch of MPI_Win_lock_all \(not_ended.c:\d+\) has not ended
 * SAYS: MPI_Finalize \(not_ended.c:\d+\) of rank 0 is called, but the epoch of MPI_Win_post
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int *cell;
    MPI_Win freed, kept;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &freed);
    MPI_Win_set_errhandler(freed, MPI_ERRORS_RETURN);
    MPI_Win_lock_all(0, freed); /* HERE */
    MPI_Win_free(&freed);       /* HERE */
    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &kept);
    if (rank == 0)
        MPI_Win_post(MPI_GROUP_EMPTY, 0, kept);
    MPI_Finalize(); /* HERE */
    return 0;
}
