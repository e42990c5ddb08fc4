/* SPDX-License-Identifier: BSD-3-Clause */
/* Two nonblocking operations are started in opposite orders on one communicator: this is one
 * mistake, although the ranks differ in two places.
 *
 * RANKS: 3
 * EXPECT: no-deadlock
 * FINDING: collective-mismatch error
 * SAYS: do not match: ranks 1 and 2 call MPI_Ireduce \(.*\), but rank 0 calls MPI_Ibcast \(
 * SAYS: orknot: 1 finding \(1 error\)
 * EXIT: 66
 * PLAIN: any
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word = 0, in = 1, sum = 0;
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Ireduce(&in, &sum, 1, MPI_INT, MPI_SUM, 0, MPI_COMM_WORLD, &request[1]);
    if (rank != 0)
        MPI_Ibcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD, &request[0]);
    MPI_Waitall(2, request, MPI_STATUSES_IGNORE);
    MPI_Finalize();
    return 0;
}
