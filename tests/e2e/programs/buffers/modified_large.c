/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 computes the next values into large send buffers before their sends are complete (MPI-3.1
 * section 3.7.2): into one block, and into the last row of columns of a matrix. Without an option,
 * some bytes of each are compared.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: buffer-modified error
 * SAYS: the send buffer of MPI_Issend \(.*\) of rank 0 was changed before the send was complete
 * SAYS: the send buffer of MPI_Isend \(.*\) of rank 0 was changed before the send was complete
 * SAYS: 2 findings
 * SAYS_LINE: BLOCK
 * SAYS_LINE: COLUMNS
 * EXIT: 66
 */
#include <mpi.h>

enum { INTS = 100000, ROWS = 1000, COLUMNS = 100 };

static int words[INTS], matrix[ROWS][COLUMNS];

static void sent(int peer)
{
    MPI_Datatype columns;
    MPI_Request request;

    MPI_Issend(words, INTS, MPI_INT, peer, 0, MPI_COMM_WORLD, &request); /* BLOCK */
    for (int i = 0; i < INTS; i++)
        words[i]++;
    MPI_Wait(&request, MPI_STATUS_IGNORE);

    MPI_Type_vector(ROWS, COLUMNS / 2, COLUMNS, MPI_INT, &columns);
    MPI_Type_commit(&columns);
    MPI_Isend(matrix, 1, columns, peer, 0, MPI_COMM_WORLD, &request); /* COLUMNS */
    for (int i = 0; i < COLUMNS / 2; i++)
        matrix[ROWS - 1][i] = 1;
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    MPI_Type_free(&columns);
}

int main(int argc, char **argv)
{
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank == 0)
        sent(1);
    for (int i = 0; rank == 1 && i < 2; i++)
        MPI_Recv(words, INTS, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
