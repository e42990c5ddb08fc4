/* SPDX-License-Identifier: BSD-3-Clause */
/* A message of another type that is also longer than the receive buffer ends the job by the default
 * error handler. The finding of the types says so: there is no second one.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * PLAIN: compared
 * FINDING: type-mismatch error
 * SAYS: MPI_Recv at truncation_and_type.c:\d+ of rank 1 failed with MPI_ERR_TRUNCATE: message truncated
 * SAYS: 1 finding
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank;
    int in = 0;
    float value = 0;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    int pair[2] = {1, 2};

    if (rank == 0) {
        MPI_Send(pair, 2, MPI_INT, 1, 0, MPI_COMM_WORLD);
        MPI_Recv(&in, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    } else {
        MPI_Recv(&value, 1, MPI_FLOAT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
