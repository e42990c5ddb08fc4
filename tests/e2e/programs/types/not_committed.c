/* SPDX-License-Identifier: BSD-3-Clause */
/* MPI-3.1 section 4.1.9: a datatype is committed before it is used in communication. Errors return.
 *
 * RANKS: 2
 * EXPECT: no-deadlock
 * FINDING: datatype-misuse warning
 * SAYS: datatype in MPI_Send \(not_committed.c:\d+\) of rank 0 is the datatype of MPI_Type_vector \(not_committed.c:\d+\), which is not committed
 * SAYS: 1 finding
 * OUTPUT: failed
 */
#include <mpi.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    int rank;
    double word[6] = {0};
    MPI_Datatype type, made_of_it;

    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_vector(3, 1, 2, MPI_DOUBLE, &type);
    MPI_Type_contiguous(1, type, &made_of_it);
    MPI_Type_commit(&made_of_it);
    if (rank == 0) {
        if (MPI_Send(word, 1, type, 1, 0, MPI_COMM_WORLD) != MPI_SUCCESS)
            puts("failed");
        MPI_Send(word, 1, made_of_it, 1, 0, MPI_COMM_WORLD);
    } else {
        MPI_Recv(word, 3, MPI_DOUBLE, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
    MPI_Type_free(&type);
    MPI_Type_free(&made_of_it);
    MPI_Finalize();
    return 0;
}
