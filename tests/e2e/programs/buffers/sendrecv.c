/* SPDX-License-Identifier: BSD-3-Clause */
/* The send and the receive buffer of MPI_Sendrecv have 8 bytes in common (MPI-3.1 section 3.10:
 * they must be disjoint).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Sendrecv \(sendrecv.c:\d+\) of ranks 0 and 1 sends bytes 0 to 7 of its receive buffer
 * SAYS: The send buffer and the receive buffer must be disjoint \(MPI-3.1 section 3.10\)
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    char letters[40] = "";

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Barrier(MPI_COMM_WORLD); /* both are in the text that is printed soon after the first */
    MPI_Sendrecv(letters, 20, MPI_CHAR, 1 - rank, 0, letters + 12, 20, MPI_CHAR, 1 - rank, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
