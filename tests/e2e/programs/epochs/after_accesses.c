/* SPDX-License-Identifier: BSD-3-Clause */
/* The accesses after a fence have started an epoch: it must be ended by another fence without
 * MPI_MODE_NOPRECEDE before a lock, a start and MPI_Win_free (MPI-3.1 sections 11.5, 11.5.5 and
 * 11.2.5). The windows return errors.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: epoch-misuse error
 * SAYS: MPI_Win_lock .* starts an access epoch inside the one of MPI_Win_fence \(after_accesses.c
 * SAYS: MPI_Win_start .* starts an access epoch inside the one of MPI_Win_fence \(after_accesses.c
 * SAYS: MPI_Win_fence .* asserts MPI_MODE_NOPRECEDE, but completes MPI_Put \(after_accesses.c:\d+\)
 * SAYS: MPI_Put .* accesses target 0 outside of access epochs
 * SAYS: MPI_Win_free .* frees the window, but the epoch of MPI_Win_fence \(after_accesses.c:\d+\)
 * SAYS: 5 findings
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int word = 1;

static MPI_Win put_after_fence(void)
{
    int *cell;
    MPI_Win win;

    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_SELF, &cell, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    return win;
}

int main(int argc, char **argv)
{
    MPI_Win win[4];

    MPI_Init(&argc, &argv);
    for (int i = 0; i < 4; i++)
        win[i] = put_after_fence();
    if (MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, win[0]) == MPI_SUCCESS) /* HERE */
        MPI_Win_unlock(0, win[0]);
    MPI_Win_fence(0, win[0]);
    if (MPI_Win_start(MPI_GROUP_EMPTY, 0, win[1]) == MPI_SUCCESS) /* HERE */
        MPI_Win_complete(win[1]);
    MPI_Win_fence(0, win[1]);
    MPI_Win_fence(MPI_MODE_NOPRECEDE, win[2]); /* HERE */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win[2]);
    MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win[2]); /* HERE */
    for (int i = 0; i < 4; i++)
        MPI_Win_free(&win[i]); /* HERE */
    MPI_Finalize();
    return 0;
}
