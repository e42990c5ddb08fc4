/* SPDX-License-Identifier: BSD-3-Clause */
/* Two masters answer whoever asks; each worker asks the one, then the other, again and again.
 *
 * RANKS: 6
 * EXPECT: clean
 * OUTPUT: 40
 */
#include <mpi.h>
#include <stdio.h>

enum { MASTERS = 2, ROUNDS = 10 };

static int serve(int requests)
{
    MPI_Status status;
    int in, served = 0;

    for (; served < requests; served++) {
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &status);
        MPI_Send(&in, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD);
    }
    return served;
}

int main(int argc, char **argv)
{
    int rank, size, served = 0, in;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank < MASTERS)
        served = serve(ROUNDS * (size - MASTERS));
    for (int i = 0; rank >= MASTERS && i < ROUNDS * MASTERS; i++) {
        MPI_Send(&i, 1, MPI_INT, (i + rank) % MASTERS, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, (i + rank) % MASTERS, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    if (rank == 1)
        printf("%d\n", served);
    MPI_Finalize();
    return 0;
}
