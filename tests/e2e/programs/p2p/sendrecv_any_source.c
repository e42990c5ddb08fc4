/* SPDX-License-Identifier: BSD-3-Clause */
/* The receive half of rank 0 would take any message, but ranks 1 and 2 wait for each other.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {1,2}
 * CALL: 0 MPI_Sendrecv_replace HERE
 * CALL: 1 MPI_Recv
 * CALL: 2 MPI_Recv
 * SAYS: rank 0: MPI_Sendrecv_replace.*, waits for 0-2 \[send to 1, tag 0; receive from MPI_ANY_SOURCE, tag 0\]
 * SAYS_LINE: HERE
 */
#include <mpi.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;
    int any = MPI_ANY_SOURCE;
    MPI_Comm world = MPI_COMM_WORLD;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        MPI_Sendrecv_replace(&out, 1, MPI_INT, 1, 0, any, 0, world, MPI_STATUS_IGNORE); /* HERE */
        break;
    case 1:
        usleep(50000); /* the others are there first */
        MPI_Recv(&in, 1, MPI_INT, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
