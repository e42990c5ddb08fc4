/* SPDX-License-Identifier: BSD-3-Clause */
/* Two communicators, two barriers, opposite order.
 *
 * RANKS: 2
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1
 * ROOTS: {0,1}
 * ADVISES: Let rank 1 call MPI_Barrier on MPI_Comm_dup
 * SAYS: calls MPI_Barrier \(barrier_order.c:\d+\) on .*, but rank 1 calls it \(barrier_order.c:\d+\) on
 * CALL: 0 MPI_Barrier HERE
 * CALL: 1 MPI_Barrier HERE
 * SAYS_LINE: HERE
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    MPI_Comm comm[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[0]);
    MPI_Comm_dup(MPI_COMM_WORLD, &comm[1]);
    MPI_Barrier(comm[rank]); /* HERE */
    MPI_Barrier(comm[1 - rank]);
    MPI_Finalize();
    return 0;
}
