/* SPDX-License-Identifier: BSD-3-Clause */
/* One half of the ranks accepts the other by a port; each rank receives from its partner first.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,2} {1,3}
 * CALL: 0 MPI_Recv HERE
 * CALL: 3 MPI_Recv HERE
 * SAYS: tag 0, MPI_Comm_(accept|connect) at connect_recv_recv.c:\d+\)
 * ADVISES: Let one of ranks 0-3 in each root send before MPI_Recv \(connect_recv_recv.c:\d+\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    char port[MPI_MAX_PORT_NAME] = "";
    MPI_Comm half;
    MPI_Comm other;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    if (rank == 0)
        MPI_Open_port(MPI_INFO_NULL, port);
    MPI_Bcast(port, MPI_MAX_PORT_NAME, MPI_CHAR, 0, MPI_COMM_WORLD);
    if (rank < 2)
        MPI_Comm_accept(port, MPI_INFO_NULL, 0, half, &other);
    else
        MPI_Comm_connect(port, MPI_INFO_NULL, 1, half, &other);
    MPI_Recv(&in, 1, MPI_INT, rank % 2, 0, other, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
