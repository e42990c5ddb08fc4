/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffered sends that look wrong and are right (MPI-3.1 section 3.6): a buffer with room for one
 * message exactly, and is used again; sends to MPI_PROC_NULL without a buffer (3.11); a buffer that
 * is detached and attached again; a persistent send that is made before the buffer is attached; and
 * a buffer that is still attached at MPI_Finalize, which completes the send (8.7).
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 0 1 2
 */
#include <mpi.h>
#include <stdio.h>

static MPI_Comm world = MPI_COMM_WORLD;

int main(int argc, char **argv)
{
    static char space[10 * sizeof(int) + MPI_BSEND_OVERHEAD];
    int rank, size, words[10] = {0}, got[3][10] = {0};
    void *out;
    MPI_Request send;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(world, &rank);
    MPI_Bsend_init(words, 10, MPI_INT, 1 - rank, 0, world, &send);
    MPI_Bsend(words, 10, MPI_INT, MPI_PROC_NULL, 0, world);
    for (int i = 0; i < 3; i++) {
        words[0] = i;
        if (i != 1)
            MPI_Buffer_attach(space, (int)sizeof(space));
        if (i == 1)
            MPI_Start(&send);
        else if (rank == 0)
            MPI_Bsend(words, 10, MPI_INT, 1, 0, world);
        if (i == 1 || rank == 1)
            MPI_Recv(got[i], 10, MPI_INT, 1 - rank, 0, world, MPI_STATUS_IGNORE);
        if (rank == 0 && i == 0) {
            MPI_Buffer_detach(&out, &size);
            MPI_Buffer_attach(out, size);
        }
        MPI_Wait(&send, MPI_STATUS_IGNORE);
        MPI_Barrier(world);
        if (i == 1)
            MPI_Buffer_detach(&out, &size);
    }
    MPI_Request_free(&send);
    if (rank == 1)
        printf("%d %d %d\n", got[0][0], got[1][0], got[2][0]);
    MPI_Finalize();
    return 0;
}
