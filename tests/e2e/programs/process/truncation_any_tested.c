/* SPDX-License-Identifier: BSD-3-Clause */
/* The library ends the run in a poll for a receive from any source, whose message is too long. The
 * other receive, which is large enough, is no part of it.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: truncation error
 * SAYS: rank 0 sends 2 x MPI_INT \(MPI_Send at truncation_any_tested.c:\d+\), but rank 1 receives at most 1 x MPI_INT \(MPI_Irecv at truncation_any_tested.c:\d+\)
 * SAYS: rank 1 failed with MPI_ERR_TRUNCATE: message truncated
 * SAYS: 1 finding
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int flag = 0;
    int one = 0;
    int pair[2] = {1, 2};
    MPI_Request request[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0) {
        MPI_Send(pair, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&one, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Irecv(pair, 2, MPI_INT, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &request[0]);
        MPI_Irecv(&one, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, &request[1]);
        while (!flag)
            MPI_Test(&request[1], &flag, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
