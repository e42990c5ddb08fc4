/* SPDX-License-Identifier: BSD-3-Clause */
/* The same two groups meet again and again, and keep all that they made until the end. A message of
 * the one communicator is none of the other.
 *
 * RANKS: 4
 * EXPECT: clean
 */
#include <mpi.h>

enum { TIMES = 4 };

static void meet(int rank, const char *port, MPI_Comm half, MPI_Comm *other)
{
    if (rank < 2)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, other);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 0, half, other);
}

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm half;
    MPI_Comm other[TIMES];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    for (int i = 0; i < TIMES; i++)
        meet(rank, port, half, &other[i]);
    for (int i = 0; i < TIMES; i++) {
        if (rank < 2)
            MPI_Ssend(&rank, 1, MPI_INT, rank, 0, other[TIMES - 1 - i]);
        else
            MPI_Recv(&in, 1, MPI_INT, rank - 2, 0, other[TIMES - 1 - i], MPI_STATUS_IGNORE);
    }
    for (int i = 0; i < TIMES; i++)
        MPI_Comm_disconnect(&other[i]);
    if (rank == 0)
        MPI_Close_port(port);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
