/* SPDX-License-Identifier: BSD-3-Clause */
/* Arguments of one-sided calls: targets and displacements (MPI-3.1 section 11.3), assertions
 * (11.5.5), types of locks (11.5.3), units of displacements (11.2.1), operators (11.3.4).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-argument warning
 * FINDING: invalid-operator warning
 * SAYS: disp_unit is 0 in MPI_Win_create
 * SAYS: assert is \d+ in MPI_Win_fence
 * SAYS: lock_type is -1 in MPI_Win_lock
 * SAYS: target_rank is 2 in MPI_Put .* but the window has 2 processes
 * SAYS: target_disp is -8 in MPI_Get
 * SAYS: op is MPI_NO_OP for elements of MPI_INT in MPI_Accumulate
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int word = 0, value = 1;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Win_create(&word, sizeof(word), 0, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_create(&word, sizeof(word), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(MPI_MODE_NOCHECK, win);
    MPI_Win_lock(-1, 0, 0, win);
    MPI_Win_fence(0, win);
    MPI_Put(&value, 1, MPI_INT, 2, 0, 1, MPI_INT, win);
    MPI_Get(&value, 1, MPI_INT, 0, -8, 1, MPI_INT, win);
    MPI_Accumulate(&value, 1, MPI_INT, 0, 0, 1, MPI_INT, MPI_NO_OP, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
