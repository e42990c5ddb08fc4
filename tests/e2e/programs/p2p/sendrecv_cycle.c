/* SPDX-License-Identifier: BSD-3-Clause */
/* The send half of rank 0 completes, its receive half waits for rank 2, which waits for rank
 * 1, which is in MPI_Finalize.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,1,2}
 * CALL: 0 MPI_Sendrecv HERE
 * CALL: 1 MPI_Finalize
 * CALL: 2 MPI_Recv
 * SAYS: send to \d, tag \d+ \(done\); receive from 2, tag \d+
 * SAYS_LINE: HERE
 */
#include <mpi.h>

static void exchange(void)
{
    int in = 0;
    int out = 1;
    MPI_Comm world = MPI_COMM_WORLD;
    MPI_Status status;

    MPI_Sendrecv(&out, 1, MPI_INT, 1, 0, &in, 1, MPI_INT, 2, 0, world, &status); /* HERE */
}

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    int out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    switch (rank) {
    case 0:
        exchange();
        break;
    case 1:
        MPI_Recv(&in, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        break;
    default:
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Send(&out, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
