/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 2.5.1: a copy of the handle of a datatype is used after the datatype was freed.
 * What the library makes of it is its own affair: the tool asks it nothing about the handle.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: invalid-handle error
 * SAYS: datatype in MPI_Send \(freed.c:\d+\) of rank 0 was freed by MPI_Type_free \(freed.c:\d+\)
 * PLAIN: any
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    int rank, word[2] = {0};
    MPI_Datatype type, copy;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_commit(&type);
    copy = type;
    MPI_Type_free(&type);
    if (rank == 0)
        MPI_Send(word, 1, copy, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(word, 2, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Finalize();
    return 0;
}
