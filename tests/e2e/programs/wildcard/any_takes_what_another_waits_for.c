/* SPDX-License-Identifier: BSD-3-Clause */
/* The receive from anybody takes the message of rank 2, which the next receive asks for by name;
 * that of rank 1 is left. The receive is named, and not the sender that is left.
 *
 * RANKS: 3
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2
 * ROOTS: {0,2}
 * CALL: 0 MPI_Recv WAITS
 * SAYS: but its earlier receive from MPI_ANY_SOURCE took that message \(MPI_Recv at any_takes_what_another_waits_for.c:\d+\)
 * SAYS_LINE: TOOK
 * ADVISES: Let rank 0 name the source and tag of the message that it expects in MPI_Recv
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, in = 0, out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* TOOK */
        MPI_Send(&out, 1, MPI_INT, 1, 4, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 2, 3, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* WAITS */
        MPI_Send(&out, 1, MPI_INT, 2, 5, MPI_COMM_WORLD);
    } else if (rank == 1) {
        MPI_Recv(&in, 1, MPI_INT, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        MPI_Ssend(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
    } else {
        MPI_Ssend(&out, 1, MPI_INT, 0, 3, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 0, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
