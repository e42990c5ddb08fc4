/* SPDX-License-Identifier: BSD-3-Clause */
/* Epochs of locks with accesses between two fences, which make the first fence start an epoch, too
 * (MPI-3.1 section 11.5.1). It is known at the second fence.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: epoch-misuse warning
 * SAYS: MPI_Win_fence \(lock_between_fences_wrong.c:\d+\) .* ends an epoch of fences that contains the access epoch of MPI_Win_lock \(lock_b
 * SAYS: MPI_Win_fence \(lock_between_fences_wrong.c:\d+\) .* ends an epoch of fences that contains the access epoch of MPI_Win_lock_all
 * SAYS: orknot: 2 findings: 1 rank
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int word = 1;

int main(int argc, char **argv)
{
    int *cell;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Win_allocate(sizeof(*cell), sizeof(*cell), MPI_INFO_NULL, MPI_COMM_SELF, &cell, &win);
    MPI_Win_fence(0, win);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win); /* HERE */
    MPI_Put(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock(0, win);
    MPI_Win_fence(0, win);    /* HERE */
    MPI_Win_lock_all(0, win); /* HERE */
    MPI_Get(&word, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
    MPI_Win_unlock_all(win);
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win); /* HERE */
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
