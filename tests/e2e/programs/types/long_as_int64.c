/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.3.1: a type matches only itself, although MPI_LONG and MPI_INT64_T are
 * represented in the same way here.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: type-mismatch warning
 * SAYS: rank 0 sends 2 x MPI_LONG \(MPI_Isend at .*, but rank 1 receives 2 x MPI_INT64_T \(MPI_Irecv at
 * SAYS: Both datatypes represent their values in the same way
 */
#include <mpi.h>
#include <stdint.h>

int main(int argc, char **argv)
{
    int rank;
    long out[2] = {1, 2};
    int64_t in[2];
    MPI_Request request;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        MPI_Isend(out, 2, MPI_LONG, 1, 0, MPI_COMM_WORLD, &request);
    else
        MPI_Irecv(in, 2, MPI_INT64_T, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
