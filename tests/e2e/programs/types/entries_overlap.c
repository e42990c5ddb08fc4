/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 4.1.11: a datatype whose entries overlap may be sent, but not be received. It is
 * committed twice, which has no effect (section 4.1.9).
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: datatype-misuse error
 * SAYS: datatype in MPI_Recv \(entries_overlap.c:\d+\) of rank 1 is the datatype of MPI_Type_indexed \(entries_overlap.c:\d+\), whose entries overlap
 * SAYS: MPI_Type_commit \(entries_overlap.c:\d+\) of ranks 0 and 1 commits the datatype of MPI_Type_indexed
 * SAYS: 2 findings
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    const int length[2] = {2, 2}, at[2] = {0, 1};
    int rank, word[4] = {0};
    MPI_Datatype type;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Type_indexed(2, length, at, MPI_INT, &type);
    MPI_Type_commit(&type);
    MPI_Type_commit(&type);
    if (rank == 0)
        MPI_Send(word, 1, type, 1, 0, MPI_COMM_WORLD);
    else
        MPI_Recv(word, 1, type, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Type_free(&type);
    MPI_Finalize();
    return 0;
}
