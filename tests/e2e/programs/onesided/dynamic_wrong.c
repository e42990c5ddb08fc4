/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 11.2.4: memory of a dynamic window is accessed that was never attached, after it
 * was detached, and beyond the end of what is attached.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: window-bounds error
 * SAYS: MPI_Put \(dynamic_wrong.c:\d+\) of rank 0 accesses bytes 0x[0-9a-f]+-0x[0-9a-f]+ of rank 1, which has not attached them to the dynamic window
 * SAYS: MPI_Get \(dynamic_wrong.c:\d+\) of rank 0 accesses bytes 0x[0-9a-f]+-0x[0-9a-f]+ of rank 1, which has not attached them
 * SAYS: MPI_Accumulate \(dynamic_wrong.c:\d+\) of rank 0 accesses bytes 0x[0-9a-f]+-0x[0-9a-f]+ of rank 1, which has not attached them
 * SAYS: must have attached the memory before the access, and must detach it after it \(MPI-3.1 section 11.2.4\)
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

enum { ATTACHED = 4 };

/* The first ones are attached, and what is beyond them may be changed, too. */
static int rank, attached[3 * ATTACHED], *const never = attached + 2 * ATTACHED;
static MPI_Win win;

/* Where rank 1 has it. */
static MPI_Aint at_rank_1(void *memory)
{
    MPI_Aint address;

    MPI_Get_address(memory, &address);
    MPI_Bcast(&address, 1, MPI_AINT, 1, MPI_COMM_WORLD);
    return address;
}

int main(int argc, char **argv)
{
    int word = 1, words[2] = {1, 1};
    MPI_Aint first, second;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create_dynamic(MPI_INFO_NULL, MPI_COMM_WORLD, &win);
    MPI_Win_set_errhandler(win, MPI_ERRORS_RETURN);
    if (rank == 1)
        MPI_Win_attach(win, attached, ATTACHED * sizeof(*attached));
    first = at_rank_1(attached);
    second = at_rank_1(never);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Put(&word, 1, MPI_INT, 1, second, 1, MPI_INT, win);
        MPI_Win_flush(1, win);
        MPI_Accumulate(words, 2, MPI_INT, 1, first + 12, 2, MPI_INT, MPI_SUM, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Win_detach(win, attached);
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank == 0) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 1, 0, win);
        MPI_Get(&word, 1, MPI_INT, 1, first, 1, MPI_INT, win);
        MPI_Win_unlock(1, win);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
