/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 3.3.1: each rank of a ring sends integers and receives real numbers, three times.
 * That is one finding.
 *
 * RANKS: 4
 * EXPECT: no-deadlock
 * FINDING: type-mismatch error
 * SAYS: ranks 0-3 send 2 x MPI_INT \(MPI_Sendrecv at .*, but ranks 0-3 receive 2 x MPI_FLOAT \(MPI_Sendrecv at .*, 12 messages
 * SAYS: 1 finding
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, size, out[2] = {1, 2};
    float in[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    for (int i = 0; i < 3; i++)
        MPI_Sendrecv(out, 2, MPI_INT, (rank + 1) % size, 0, in, 2, MPI_FLOAT,
                     (rank + size - 1) % size, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
