/* SPDX-License-Identifier: BSD-3-Clause */
/* A receive on an intercommunicator names a rank of the remote group: rank 0 waits for rank 2,
 * not for itself.
 *
 * RANKS: 4
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3
 * ROOTS: {0,2}
 * CALL: 0 MPI_Recv HERE
 * CALL: 2 MPI_Recv HERE
 * SAYS: rank 0: MPI_Recv\(peer 0 of the remote group \(rank 2\)
 * SAYS: rank 2: MPI_Recv\(peer 0 of the remote group \(rank 0\)
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    MPI_Comm half;
    MPI_Comm both;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_split(MPI_COMM_WORLD, rank / 2, 0, &half);
    MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, rank < 2 ? 2 : 0, 5, &both);
    if (rank == 2)
        usleep(50000); /* the others are there first */
    if (rank % 2 == 0)
        MPI_Recv(&in, 1, MPI_INT, 0, 0, both, MPI_STATUS_IGNORE); /* HERE */
    MPI_Comm_free(&both);
    MPI_Comm_free(&half);
    MPI_Finalize();
    return 0;
}
