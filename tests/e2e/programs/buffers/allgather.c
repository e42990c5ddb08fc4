/* SPDX-License-Identifier: BSD-3-Clause */
/* Each rank sends its part of the receive buffer of MPI_Allgather from where it will be received
 * (MPI-3.1 section 2.3: an argument of type OUT cannot be aliased; this is what MPI_IN_PLACE is
 * for).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Allgather \(allgather.c:\d+\) of ranks 0 and 1 sends some bytes of its receive buffer
 * SAYS: MPI_IN_PLACE is for data that is in the receive buffer \(MPI-3.1 section 2.3\)
 * EXIT: 66
 */
#include <mpi.h>

enum { RANKS = 2, DOUBLES = 5 };

int main(int argc, char **argv)
{
    int rank;
    double values[RANKS * DOUBLES] = {0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD); /* both are in the text that is printed soon after the first */
    MPI_Allgather(rank == 0 ? values : values + DOUBLES, DOUBLES, MPI_DOUBLE, values, DOUBLES,
                  MPI_DOUBLE, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
