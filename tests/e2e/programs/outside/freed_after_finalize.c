/* SPDX-License-Identifier: BSD-3-Clause */
/* Rank 0 frees one of two datatypes of one place, and one of another place, when it has left
 * MPI_Finalize (MPI-3.1 section 8.7): the one that it freed is no leak as well, the others are.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * PLAIN: any
 * FINDING: init-finalize error
 * FINDING: resource-leak warning
 * SAYS: MPI_Type_free \(freed_after_finalize.c:\d+\) of rank 0 is called after MPI_Finalize
 * SAYS: 1 datatype of MPI_Type_contiguous \(freed_after_finalize.c:\d+\) was not freed before MPI_Finalize by rank 0
 * SAYS: 1 communicator of MPI_Comm_dup \(freed_after_finalize.c:\d+\) was not freed before MPI_Finalize by rank 0
 * SAYS: 3 findings
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype type[2];
    MPI_Comm copy;
    int rank;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_dup(MPI_COMM_WORLD, &copy);
    for (int i = 0; i < 2; i++)
        MPI_Type_contiguous(2 + i, MPI_INT, &type[i]);
    for (int i = 0; i < 2 && rank != 0; i++)
        MPI_Type_free(&type[i]);
    if (rank != 0)
        MPI_Comm_free(&copy);
    MPI_Finalize();
    if (rank == 0)
        MPI_Type_free(&type[1]);
    return 0;
}
