/* SPDX-License-Identifier: BSD-3-Clause */
/* Predefined datatypes and operators are freed, and datatypes and operators that were freed are
 * freed and committed again. Other objects that use them keep the library from crashing.
 *
 * RANKS: 1
 * EXPECT: no-deadlock
 * SAYS: datatype is MPI_DOUBLE in MPI_Type_free
 * SAYS: op is MPI_SUM in MPI_Op_free
 * SAYS: datatype in MPI_Type_commit .* was freed by MPI_Type_free
 * SAYS: datatype is MPI_DATATYPE_NULL in MPI_Type_free
 * EXIT: 66
 */
#include <mpi.h>

int main(int argc, char **argv)
{
    MPI_Datatype type = MPI_DOUBLE, copy, user;
    MPI_Op op = MPI_SUM;

    MPI_Init(&argc, &argv);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    MPI_Type_free(&type);
    MPI_Op_free(&op);
    MPI_Type_contiguous(2, MPI_INT, &type);
    MPI_Type_contiguous(2, type, &user);
    copy = type;
    MPI_Type_free(&type);
    MPI_Type_commit(&copy);
    MPI_Type_free(&type);
    MPI_Type_free(&user);
    MPI_Finalize();
    return 0;
}
