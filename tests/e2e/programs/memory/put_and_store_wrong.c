/* SPDX-License-Identifier: BSD-3-Clause */
/* A put of a rank to its own window, and a store to the same bytes before the fence: neither is
 * complete before the other one (MPI-3.1 section 11.7). The stores before the first fence and after
 * the last one, and the one to other bytes, are right.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * FINDING: rma-conflict error
 * SAYS: rank 0 put bytes 4-7 of the window of rank 0 \(.*\) and stored to bytes 4-7 of it \(.*\) before the first access was complete
 * SAYS: orknot: 1 finding \(1 error\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int word = 1, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Win_allocate(4 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &win);
    memory[1] = 2;
    MPI_Win_fence(0, win);
    MPI_Put(&word, 1, MPI_INT, 0, 1, 1, MPI_INT, win); /* HERE */
    memory[2] = 3;
    memory[1] = 3; /* HERE */
    MPI_Win_fence(MPI_MODE_NOSUCCEED, win);
    memory[1] = 4;
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
