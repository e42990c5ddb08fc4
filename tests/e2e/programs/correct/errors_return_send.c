/* SPDX-License-Identifier: BSD-3-Clause */
/* A send with a wrong type fails and has sent nothing: the receive of the other rank is for the
 * message that comes then.
 *
 * RANKS: 2
 * EXPECT: clean
 * FINDING: invalid-handle warning
 * OUTPUT: got 4
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    int word = 4;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Send(&word, 1, MPI_DATATYPE_NULL, 1 - rank, 0, MPI_COMM_WORLD);
    MPI_Sendrecv_replace(&word, 1, MPI_INT, 1 - rank, 0, 1 - rank, 0, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
    if (rank == 0)
        printf("got %d\n", word);
    MPI_Finalize();
    return 0;
}
