/* SPDX-License-Identifier: BSD-3-Clause */
/* As send_send with buffered sends: they are local by definition, so the program is right.
 *
 * RANKS: 2
 * EXPECT: clean
 * OUTPUT: 1
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    char space[1024 + MPI_BSEND_OVERHEAD];
    void *detached;
    int size;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Buffer_attach(space, (int)sizeof(space));
    MPI_Bsend(&out, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Recv(&in, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Buffer_detach(&detached, &size);
    if (rank == 0)
        printf("%d\n", in);
    MPI_Finalize();
    return 0;
}
