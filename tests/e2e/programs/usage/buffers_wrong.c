/* SPDX-License-Identifier: BSD-3-Clause */
/* Buffers that do not exist (MPI-3.1 section 3.2.2), MPI_IN_PLACE where it is not allowed (5.2.1),
 * one buffer for input and output (2.3), and a result without an address (2.5.4).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-buffer warning
 * FINDING: invalid-argument warning
 * SAYS: buf is NULL in MPI_Send \(buffers_wrong.c:\d+\) of ranks 0 and 1, for 3 elements
 * SAYS: buf is MPI_IN_PLACE in MPI_Send
 * SAYS: sendbuf is MPI_IN_PLACE in MPI_Gather .* of rank 1
 * SAYS: rank is NULL in MPI_Comm_rank
 */
#include <mpi.h>
#include <stddef.h>

int main(int argc, char **argv)
{
    int rank, all[2];

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Send(NULL, 3, MPI_INT, 9, 0, MPI_COMM_WORLD);
    MPI_Send(MPI_IN_PLACE, 1, MPI_INT, 9, 0, MPI_COMM_WORLD);
    if (rank == 1)
        MPI_Gather(MPI_IN_PLACE, 1, MPI_INT, all, 1, MPI_INT, 9, MPI_COMM_WORLD);
    MPI_Comm_rank(MPI_COMM_WORLD, NULL);
    MPI_Finalize();
    return 0;
}
