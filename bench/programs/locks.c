/* SPDX-License-Identifier: BSD-3-Clause */
/* Every rank locks the window of rank 0, puts a number there, and unlocks it. [sections of a rank]
 */
#include "loop.h"

int main(int argc, char **argv)
{
    int rank, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    long sections = loop_rounds(argc, argv, 20000);
    MPI_Win_allocate(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory, &win);
    double begin = loop_begin();
    for (long i = 0; i < sections; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    loop_end(begin);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
