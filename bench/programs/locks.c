/* SPDX-License-Identifier: BSD-3-Clause */
/* Ranks lock the window of rank 0, put a number there, and unlock it. [sections of a rank] [so many
 * ranks do that, the last ones] */
#include "loop.h"

int main(int argc, char **argv)
{
    int rank, size, *memory;
    MPI_Win win;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    long sections = loop_rounds(argc, argv, 20000);
    long idle = argc > 2 ? size - strtol(argv[2], NULL, 10) : 0;
    MPI_Win_allocate(rank == 0 ? sizeof(int) : 0, sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                     &memory, &win);
    double begin = loop_begin();
    for (long i = 0; i < sections && rank >= idle; i++) {
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
        MPI_Put(&rank, 1, MPI_INT, 0, 0, 1, MPI_INT, win);
        MPI_Win_unlock(0, win);
    }
    loop_end(begin);
    MPI_Win_free(&win);
    MPI_Finalize();
    return 0;
}
