/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives the blocks of both processes at the same place (MPI-3.1 section 5.8: as by a
 * receive for each process, in no order, so that it is undefined which one remains).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-overlap warning
 * SAYS: MPI_Alltoallv \(alltoallv.c:\d+\) of rank 0 receives bytes 0 to 15 of its receive buffer more than once
 */
#include <mpi.h>

enum { RANKS = 2, INTS = 4 };

int main(int argc, char **argv)
{
    int rank, sent[INTS * RANKS] = {0}, received[INTS * RANKS];
    int counts[RANKS] = {INTS, INTS}, displs[RANKS] = {0, INTS}, same[RANKS] = {0, 0};

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Alltoallv(sent, counts, same, MPI_INT, received, counts, rank == 0 ? same : displs, MPI_INT,
                  MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
