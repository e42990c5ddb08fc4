/* SPDX-License-Identifier: BSD-3-Clause */
/* Accesses outside of the memory of another rank, whose window is smaller and counts in other
 * units; and conflicts in a dynamic window and in two windows with common memory (MPI-3.1
 * sections 11.2 and 11.3).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: window-bounds warning
 * FINDING: rma-conflict error
 * SAYS: rank 0 accesses bytes 4-11 of the window of rank 1, which has 8 bytes
 * SAYS: The call failed; the error was returned to the application
 * SAYS: rank 0 put bytes 0x[0-9a-f]+-0x[0-9a-f]+ of the window of rank 1 .* while rank 1 put
 * SAYS: rank 0 put bytes 4-7 of the window of rank 1 .* while rank 1 put bytes 0-3 of it
 * SAYS: orknot: 3 findings \(2 errors\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static int rank, word[2], cell[4];

/* The units of the window of rank 1 are bytes. */
static void outside(void)
{
    MPI_Win win;

    MPI_Win_create(cell, rank == 1 ? 8 : 16, rank == 1 ? 1 : 4, MPI_INFO_NULL, MPI_COMM_WORLD,
                   &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Get(word, 2, MPI_INT, 1, 4, 2, MPI_INT, win); /* HERE */
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
}

static void dynamic(void)
{
    MPI_Win win;
    MPI_Aint place = 0;

    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    if (rank == 1) {
        MPI_Win_attach(win, cell, sizeof(cell));
        MPI_Get_address(cell, &place);
    }
    MPI_Bcast(&place, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    MPI_Win_lock_all(0, win);
    MPI_Put(word, 1, MPI_INT, 1, place, 1, MPI_INT, win); /* HERE */
    MPI_Win_unlock_all(win);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Win_detach(win, cell);
    MPI_Win_free(&win);
}

static void common_memory(void)
{
    MPI_Win first, second;

    MPI_Win_create(cell, 8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &first);
    MPI_Win_create(cell + 1, 8, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &second);
    MPI_Win_lock_all(0, first);
    MPI_Win_lock_all(0, second);
    if (rank == 0)
        MPI_Put(word, 1, MPI_INT, 1, 1, 1, MPI_INT, first); /* HERE */
    else
        MPI_Put(word, 1, MPI_INT, 1, 0, 1, MPI_INT, second); /* HERE */
    MPI_Win_unlock_all(second);
    MPI_Win_unlock_all(first);
    MPI_Win_free(&second);
    MPI_Win_free(&first);
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    outside();
    dynamic();
    common_memory();
    MPI_Finalize();
    return 0;
}
