/* SPDX-License-Identifier: BSD-3-Clause */
/* A lock of no known kind fails, and nobody has it then.
 *
 * RANKS: 2
 * EXPECT: clean
 * FINDING: invalid-argument warning
 * OUTPUT: done
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int cell = 0;
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(&cell, sizeof(cell), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_set_errhandler(window, MPI_ERRORS_RETURN);
    MPI_Win_lock(77, 0, 0, window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
    if (rank == 0)
        printf("done\n");
    MPI_Finalize();
    return 0;
}
