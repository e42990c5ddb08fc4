/* SPDX-License-Identifier: BSD-3-Clause */
/* A buffer is attached, filled with sends to both others and detached, five times.
 *
 * RANKS: 3
 * EXPECT: clean
 * OUTPUT: 170
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    MPI_Request request[1];
    char space[1000 + 4 * MPI_BSEND_OVERHEAD];
    void *detached;
    int size;
    int sum = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int first = (rank + 1) % 3;
    int second = (rank + 2) % 3;

    for (int i = 0; i < 5; i++) {
        MPI_Buffer_attach(space, (int)sizeof(space));
        out = 10 * rank + i;
        MPI_Bsend(&out, 1, MPI_INT, first, 0, MPI_COMM_WORLD);
        MPI_Ibsend(&out, 1, MPI_INT, second, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Recv(&in, 1, MPI_INT, second, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += in;
        MPI_Recv(&in, 1, MPI_INT, first, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        sum += in;
        MPI_Wait(&request[0], MPI_STATUS_IGNORE);
        MPI_Buffer_detach(&detached, &size);
    }
    if (rank == 0)
        printf("%d\n", sum);
    MPI_Finalize();
    return 0;
}
