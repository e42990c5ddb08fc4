/* SPDX-License-Identifier: BSD-3-Clause */
/* A message is lost long before MPI_Finalize: the call that sent it is not among the last ones of
 * its rank, so these are not shown.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: lost-message warning
 * CALLS_GONE: yes
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 7, lost = 1;
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Isend(&lost, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    /* no iterations, which would be counted */
    for (unsigned bits = 0xa5c7196b; bits != 0; bits >>= 1) {
        if (bits & 1)
            MPI_Barrier(MPI_COMM_WORLD);
        else
            MPI_Bcast(&value, 1, MPI_INT, 0, MPI_COMM_WORLD);
    }
    MPI_Finalize();
    return 0;
}
