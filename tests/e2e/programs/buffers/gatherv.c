/* SPDX-License-Identifier: BSD-3-Clause */
/* The root of MPI_Gatherv receives the last element of each process where it receives the first one
 * of the next process (MPI-3.1 section 5.5: no location on the root may be written more than once).
 * The other ranks pass displacements that overlap, too, but theirs are not significant.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap error
 * SAYS: MPI_Gatherv \(gatherv.c:\d+\) of rank 1 receives bytes 12 to 15 of its receive buffer more than once
 * EXIT: 66
 */
#include <mpi.h>

enum { RANKS = 3, INTS = 4 };

int main(int argc, char **argv)
{
    int sent[INTS] = {0}, received[RANKS * INTS];
    int counts[RANKS] = {INTS, INTS, INTS}, displs[RANKS] = {0, INTS - 1, 2 * INTS - 1};

    MPI_Init(&argc, &argv);
    MPI_Gatherv(sent, INTS, MPI_INT, received, counts, displs, MPI_INT, 1, MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
