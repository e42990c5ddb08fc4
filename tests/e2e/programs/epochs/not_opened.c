/* SPDX-License-Identifier: BSD-3-Clause */
/* Calls that end an epoch that was not opened: MPI-3.1 sections 11.5.2 and 11.5.3. The window
 * returns errors.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: epoch-misuse warning
 * SAYS: MPI_Win_complete \(not_opened.c:\d+\) of rank 0 ends an access epoch that was not started
 * SAYS: MPI_Win_wait \(not_opened.c:\d+\) of rank 0 ends an exposure epoch that was not started
 * SAYS: MPI_Win_test \(not_opened.c:\d+\) of rank 0 ends an exposure epoch that was not started
 * SAYS: MPI_Win_unlock \(not_opened.c:\d+\) .* unlocks target 0, which MPI_Win_lock has not locked
 * SAYS: MPI_Win_unlock_all \(.* unlocks all targets, which MPI_Win_lock_all has not locked
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int flag;
    int *cell;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_WORLD, &cell, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_complete(win);    /* HERE */
    MPI_Win_wait(win);        /* HERE */
    MPI_Win_test(win, &flag); /* HERE */
    MPI_Win_unlock(0, win);   /* HERE */
    MPI_Win_unlock_all(win);  /* HERE */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
