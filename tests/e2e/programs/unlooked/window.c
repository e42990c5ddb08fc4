/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 1 has memory in a window, and its loads and stores there are not seen: the program is not
 * compiled for that.
 *
 * RANKS: 2
 * EXPECT: clean
 * SAYS: note: the tool did not see loads and stores of rank 1 to its window: the program is not compiled for that
 * NEVER_SAYS: other orders
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_allocate(rank == 1 ? (MPI_Aint)sizeof(int) : 0, sizeof(int), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &memory, &win);
    MPI_Win_fence(0, win);
    if (rank == 0)
        MPI_Put(&value, 1, MPI_INT, 1, 0, 1, MPI_INT, win);
    MPI_Win_fence(0, win);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
