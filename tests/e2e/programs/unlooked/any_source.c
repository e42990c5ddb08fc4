/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 receives from any rank and probes for any message: other orders are possible, and were
 * not run.
 *
 * RANKS: 3
 * EXPECT: clean
 * SAYS: note: the tool did not run other orders of the messages that 4 receives and probes from MPI_ANY_SOURCE took \(--must:explore does\)
 * NEVER_SAYS: loads and stores
 * NEVER_SAYS: send buffers
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, value = 1;
    MPI_Status status;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    for (int i = 0; i < 2 && rank > 0; i++)
        MPI_Send(&value, 1, MPI_INT, 0, i, MPI_COMM_WORLD);
    for (int i = 0; i < 2 && rank == 0; i++)
        MPI_Recv(&value, 1, MPI_INT, MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    for (int i = 0; i < 2 && rank == 0; i++) {
        MPI_Probe(MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
        MPI_Recv(&value, 1, MPI_INT, status.MPI_SOURCE, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Finalize();
    return 0;
}
