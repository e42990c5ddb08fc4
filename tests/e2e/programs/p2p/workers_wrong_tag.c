/* SPDX-License-Identifier: BSD-3-Clause */
/* Seven equal workers send tag 1, and the master waits for tag 2: one sentence says so.
 *
 * RANKS: 8
 * EXPECT: deadlock
 * CLASS: manifest
 * DEADLOCKED: 0 1 2 3 4 5 6 7
 * ROOTS: {0,1,2,3,4,5,6,7}
 * CALL: 0 MPI_Recv HERE
 * SAYS: [Rr]anks 1-7 send tag 1 to rank 0 \(MPI_Ssend at workers_wrong_tag.c:\d+\), but rank 0 waits for tag 2 \(MPI_Recv at
 * ADVISES: Use the same tag in MPI_Ssend \(workers_wrong_tag.c:\d+\) and MPI_Recv \(workers_wrong_tag.c:\d+\)
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, in, out = 1;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    if (rank != 0)
        MPI_Ssend(&out, 1, MPI_INT, 0, 1, MPI_COMM_WORLD);
    for (int i = 1; i < size && rank == 0; i++)
        MPI_Recv(&in, 1, MPI_INT, MPI_ANY_SOURCE, 2, MPI_COMM_WORLD, MPI_STATUS_IGNORE); /* HERE */
    MPI_Finalize();
    return 0;
}
