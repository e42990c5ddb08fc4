/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI_Buffer_detach waits until the buffered messages are gone, before the barrier that the
 * receiver passes first. With eager delivery they go at once.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * OUTPUT: 1
 * CLASS: potential
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * CALL: 0 MPI_Buffer_detach
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    char space[4 * (sizeof(int) + MPI_BSEND_OVERHEAD)];
    void *detached;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Buffer_attach(space, (int)sizeof(space));
        for (int i = 0; i < 4; i++)
            MPI_Bsend(&out, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Buffer_detach(&detached, &size);
        MPI_Barrier(MPI_COMM_WORLD);
        printf("%d\n", size == (int)sizeof(space));
    } else {
        MPI_Barrier(MPI_COMM_WORLD);
        for (int i = 0; i < 4; i++)
            MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
