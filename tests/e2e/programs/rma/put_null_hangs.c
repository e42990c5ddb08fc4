/* SPDX-License-Identifier: BSD-3-Clause */
/* A library may try for ever to read from a buffer that does not exist, in a call that otherwise
 * does not block. The rank uses its processor there, but it is inside MPI, and makes no progress.
 *
 * RANKS: 2
 * OPTIONS: --must:hang-after 1 --must:on hang=abort
 * EXPECT: no-deadlock
 * FINDING: invalid-buffer error
 * FINDING: hang warning
 * SAYS: no rank has made progress for
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank, memory[4] = {0};
    MPI_Win window;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Win_create(memory, sizeof(memory), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_fence(0, window);
    if (rank == 0) {
        freopen("/dev/null", "w", stderr); /* the library's own message, again and again */
        MPI_Put(NULL, 4, MPI_INT, 1, 0, 4, MPI_INT, window);
    }
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
    MPI_Finalize();
    return 0;
}
